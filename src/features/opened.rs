//! Short and joined spellings, and the words that open a clause.

use std::sync::LazyLock;

use crate::features::table::Table;

/// Words that open a clause of their own.
pub(crate) const OPENERS: &[&str] = &[
    "but",
    "because",
    "since",
    "while",
    "although",
    "though",
    "whereas",
    "so",
    "if",
    "unless",
    "when",
    "whenever",
    "until",
    "till",
    "then",
    "however",
    "otherwise",
    "who",
    "which",
    "where",
];

/// Words that open a clause behind `and` or `or`.
pub(crate) const AFTER_AND: &[&str] = &[
    "not", "never", "no", "none", "then", "it", "they", "we", "you", "i", "he", "she", "that",
    "there", "please", "do", "will", "must", "should", "can", "cannot", "also", "the",
];

/// What stands behind a contraction, and the words that it stands for.
pub(crate) const CONTRACTED: &[(&str, &str)] = &[
    ("'ll", "will"),
    ("'re", "are"),
    ("'ve", "have"),
    ("'d", "would"),
    ("'m", "am"),
];

/// Words that people write in one piece or short, and what they stand for.
pub(crate) const OPENED: &[(&str, &[&str])] = &[
    ("cannot", &["can", "not"]),
    ("can't", &["can", "not"]),
    ("cant", &["can", "not"]),
    ("won't", &["will", "not"]),
    ("wont", &["will", "not"]),
    ("shan't", &["shall", "not"]),
    ("ain't", &["is", "not"]),
    ("dont", &["do", "not"]),
    ("doesnt", &["does", "not"]),
    ("didnt", &["did", "not"]),
    ("isnt", &["is", "not"]),
    ("arent", &["are", "not"]),
    ("wasnt", &["was", "not"]),
    ("werent", &["were", "not"]),
    ("hasnt", &["has", "not"]),
    ("havent", &["have", "not"]),
    ("couldnt", &["could", "not"]),
    ("shouldnt", &["should", "not"]),
    ("wouldnt", &["would", "not"]),
    ("mustnt", &["must", "not"]),
    ("neednt", &["need", "not"]),
    ("w/o", &["without"]),
    ("w/", &["with"]),
    ("b4", &["before"]),
    ("pls", &["please"]),
    ("plz", &["please"]),
    ("ppl", &["people"]),
    ("svc", &["service"]),
    ("svcs", &["services"]),
    ("u", &["you"]),
    ("thru", &["through"]),
    ("asap", &["immediately"]),
    ("let's", &["let", "us"]),
    ("deps", &["dependencies"]),
    ("db", &["database"]),
    ("sat", &["saturday"]),
    ("req", &["requests"]),
    ("reqs", &["requests"]),
    ("min", &["minute"]),
    ("mins", &["minutes"]),
    ("msg", &["message"]),
    ("config", &["configuration"]),
    ("docs", &["documentation"]),
    ("repo", &["repository"]),
    ("prod", &["production"]),
    ("env", &["environment"]),
    ("info", &["information"]),
    ("approx", &["about"]),
];

pub(crate) static SHORT: LazyLock<Table<&'static str, &'static [&'static str]>> =
    LazyLock::new(|| OPENED.iter().copied().collect());

/// Marks that part a compound.
pub(crate) const INNER: &[char] = &[
    '-', '/', '‐', '‑', '–', '—', '_', '&', '+', '=', ',', ';', ':', '.', '(', ')', '"', '!', '?',
];
