//! A light English stemmer: inflection only, so that words of one family meet and others do not.
//!
//! It knows plurals, tenses and adverbs, and a short list of irregular forms. It never looks a word
//! up and never changes a word that holds a digit.

/// Forms that no rule reaches.
const IRREGULAR: &[(&str, &str)] = &[
    ("always", "always"),
    ("ate", "eat"),
    ("began", "begin"),
    ("begun", "begin"),
    ("bent", "bend"),
    ("bought", "buy"),
    ("broke", "broken"),
    ("brought", "bring"),
    ("building", "building"),
    ("buildings", "building"),
    ("built", "build"),
    ("came", "come"),
    ("caught", "catch"),
    ("ceiling", "ceiling"),
    ("children", "child"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("dealt", "deal"),
    ("done", "do"),
    ("drank", "drink"),
    ("drew", "draw"),
    ("driven", "drive"),
    ("drove", "drive"),
    ("dug", "dig"),
    ("during", "during"),
    ("eaten", "eat"),
    ("evening", "evening"),
    ("fed", "feed"),
    ("feed", "feed"),
    ("fell", "fall"),
    ("felt", "feel"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("forgot", "forget"),
    ("forgotten", "forget"),
    ("fought", "fight"),
    ("found", "find"),
    ("froze", "freeze"),
    ("frozen", "freeze"),
    ("gave", "give"),
    ("given", "give"),
    ("got", "get"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("heard", "hear"),
    ("held", "hold"),
    ("hid", "hide"),
    ("hidden", "hide"),
    ("hung", "hang"),
    ("kept", "keep"),
    ("knew", "know"),
    ("known", "know"),
    ("led", "lead"),
    ("lent", "lend"),
    ("made", "make"),
    ("met", "meet"),
    ("morning", "morning"),
    ("need", "need"),
    ("needed", "need"),
    ("needs", "need"),
    ("news", "news"),
    ("nothing", "nothing"),
    ("owing", "owe"),
    ("paid", "pay"),
    ("ran", "run"),
    ("rang", "ring"),
    ("risen", "rise"),
    ("rose", "rise"),
    ("said", "say"),
    ("sang", "sing"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("shown", "show"),
    ("slept", "sleep"),
    ("sold", "sell"),
    ("speed", "speed"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("spring", "spring"),
    ("stole", "stolen"),
    ("stood", "stand"),
    ("string", "string"),
    ("sung", "sing"),
    ("swam", "swim"),
    ("swollen", "swell"),
    ("swore", "swear"),
    ("taken", "take"),
    ("taught", "teach"),
    ("thing", "thing"),
    ("thought", "think"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("understood", "understand"),
    ("used", "used"),
    ("using", "use"),
    ("went", "go"),
    ("withdrawn", "withdraw"),
    ("withdrew", "withdraw"),
    ("woke", "wake"),
    ("woken", "wake"),
    ("won", "win"),
    ("wore", "wear"),
    ("worn", "wear"),
    ("written", "write"),
    ("wrote", "write"),
];

/// The stem of a word in lower case.
pub(crate) fn stem(word: &str) -> String {
    if let Ok(at) = IRREGULAR.binary_search_by_key(&word, |(form, _)| form)
        && let Some((_, base)) = IRREGULAR.get(at)
    {
        return settle(base);
    }
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let singular = without_plural(word);
    let base = without_tense(&singular);
    settle(&without_adverb(&base))
}

fn without_plural(word: &str) -> String {
    for (ending, instead) in [
        ("sses", "ss"),
        ("ies", "y"),
        ("xes", "x"),
        ("ches", "ch"),
        ("shes", "sh"),
    ] {
        if let Some(head) = word.strip_suffix(ending)
            && head.len() > 1
        {
            return format!("{head}{instead}");
        }
    }
    match word.strip_suffix('s') {
        Some(head) if !head.ends_with(['s', 'u', 'i']) && head.len() > 2 => head.to_owned(),
        _ => word.to_owned(),
    }
}

fn without_tense(word: &str) -> String {
    if let Some(head) = word.strip_suffix("ied")
        && head.len() > 1
    {
        return format!("{head}y");
    }
    let head = word
        .strip_suffix("ing")
        .or_else(|| word.strip_suffix("ed").filter(|head| !head.ends_with('e')));
    match head {
        Some(head) if head.len() > 2 && has_vowel(head) => undoubled(head).to_owned(),
        _ => word.to_owned(),
    }
}

fn without_adverb(word: &str) -> String {
    match word.strip_suffix("ly") {
        Some(head) if head.len() > 4 => head.to_owned(),
        _ => word.to_owned(),
    }
}

/// A silent `e` goes and a last `y` becomes `i`, so that all forms meet in one spelling.
fn settle(word: &str) -> String {
    if let Some(head) = word.strip_suffix('e')
        && head.len() > 2
        && !head.ends_with(['e', 'o', 'i'])
    {
        return head.to_owned();
    }
    match word.strip_suffix('y') {
        Some(head) if head.len() > 2 && !ends_in_vowel(head) => format!("{head}i"),
        _ => word.to_owned(),
    }
}

fn undoubled(head: &str) -> &str {
    let mut last = head.chars().rev();
    match (last.next(), last.next()) {
        (Some(one), Some(other)) if one == other && !matches!(one, 'l' | 's' | 'z' | 'e' | 'o') => {
            head.strip_suffix(one).unwrap_or(head)
        }
        _ => head,
    }
}

fn has_vowel(word: &str) -> bool {
    word.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

fn ends_in_vowel(word: &str) -> bool {
    word.ends_with(['a', 'e', 'i', 'o', 'u'])
}

#[cfg(test)]
mod tests {
    use super::{IRREGULAR, stem};

    fn check(words: &[&str], together: bool) {
        let stems: std::collections::BTreeSet<_> = words.iter().map(|word| stem(word)).collect();
        assert_eq!(stems.len() == 1, together, "{words:?} {stems:?}");
    }

    #[test]
    fn forms_of_one_word_meet() {
        check(&["refund", "refunds", "refunded", "refunding"], true);
        check(&["change", "changes", "changed", "changing"], true);
        check(&["stop", "stops", "stopped", "stopping"], true);
        check(&["reply", "replies", "replied", "replying"], true);
        check(&["box", "boxes"], true);
        check(&["buy", "bought", "buying"], true);
        check(&["delivery", "deliveries"], true);
        check(&["day", "days"], true);
        check(&["store", "stored", "stores"], true);
        check(&["call", "calls", "called"], true);
    }

    #[test]
    fn different_words_stay_different() {
        check(&["form", "from"], false);
        check(&["new", "news"], false);
        check(&["bus", "bu"], false);
        check(&["v1", "v1s"], false);
    }

    #[test]
    fn the_irregular_forms_are_in_order() {
        assert!(IRREGULAR.is_sorted());
        assert_eq!(stem(""), "");
        assert_eq!(stem("ß"), "ß");
    }
}
