//! Reading: bytes into lexemes with their places, lexemes into an expression. Any text is read or
//! refused with a place; none makes it fail.

use crate::domain::query::keys::{self, Key};
use crate::domain::query::{BadQuery, Expr, MAX_QUERY, Over, Term};

/// How deep parentheses and negations may go.
const DEPTH: usize = 64;

pub(super) fn query(text: &str, over: Over) -> Result<Option<Expr>, BadQuery> {
    let reader = Reader { text, over };
    if text.len() > MAX_QUERY {
        return Err(reader.bad(0, 0, format!("a query has at most {MAX_QUERY} bytes")));
    }
    let lexemes = reader.lexemes()?;
    if lexemes.is_empty() {
        return Ok(None);
    }
    let mut parser = Parser {
        reader,
        lexemes: &lexemes,
        next: 0,
        depth: 0,
    };
    let root = parser.any()?;
    match parser.peek() {
        None => Ok(Some(root)),
        Some(extra) => Err(parser.reader.bad(
            extra.at,
            extra.end,
            "this closes nothing that was opened".to_owned(),
        )),
    }
}

/// One piece of a query and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Open,
    Close,
    Minus,
    And,
    Or,
    Not,
    Word(Word),
}

/// A value, with the key before it where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) key: Option<String>,
    pub(super) value: String,
    /// Where the value begins, its quote included.
    pub(super) value_at: usize,
    pub(super) quoted: bool,
}

#[derive(Debug, Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
    over: Over,
}

impl Reader<'_> {
    fn bad(&self, at: usize, end: usize, why: String) -> BadQuery {
        BadQuery {
            query: self.text.to_owned(),
            at,
            end,
            why,
        }
    }

    fn lexemes(&self) -> Result<Vec<Lexeme>, BadQuery> {
        let mut list = Vec::new();
        let mut at = 0;
        while let Some(c) = self.char_at(at) {
            let after = at + c.len_utf8();
            let what = match c {
                c if c.is_whitespace() => {
                    at = after;
                    continue;
                }
                '(' => What::Open,
                ')' => What::Close,
                '-' => What::Minus,
                _ => {
                    let (word, end) = self.word(at)?;
                    list.push(Lexeme {
                        at,
                        end,
                        what: keyword(word),
                    });
                    at = end;
                    continue;
                }
            };
            list.push(Lexeme {
                at,
                end: after,
                what,
            });
            at = after;
        }
        Ok(list)
    }

    /// The word that begins here, and where it ends.
    fn word(&self, at: usize) -> Result<(Word, usize), BadQuery> {
        let rest = self.text.get(at..).unwrap_or_default();
        let letters = rest
            .find(|c: char| !c.is_ascii_alphabetic() && c != '_')
            .unwrap_or(rest.len());
        let key = rest
            .get(..letters)
            .filter(|key| !key.is_empty() && self.char_at(at + letters) == Some(':'))
            .map(str::to_ascii_lowercase);
        let value_at = key.as_ref().map_or(at, |_| at + letters + 1);
        if self.char_at(value_at) == Some('"') {
            let (value, end) = self.quoted(value_at)?;
            let word = Word {
                key,
                value,
                value_at,
                quoted: true,
            };
            return Ok((word, end));
        }
        let rest = self.text.get(value_at..).unwrap_or_default();
        let length = rest
            .find(|c: char| c.is_whitespace() || c == '(' || c == ')')
            .unwrap_or(rest.len());
        let word = Word {
            key,
            value: rest.get(..length).unwrap_or_default().to_owned(),
            value_at,
            quoted: false,
        };
        Ok((word, value_at + length))
    }

    /// What stands between the quote here and the one that closes it.
    fn quoted(&self, at: usize) -> Result<(String, usize), BadQuery> {
        let mut value = String::new();
        let mut place = at + 1;
        let mut escaped = false;
        while let Some(c) = self.char_at(place) {
            place += c.len_utf8();
            match c {
                _ if escaped => {
                    value.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => return Ok((value, place)),
                _ => value.push(c),
            }
        }
        let why = "this quote is not closed; write `\\\"` for a quote inside".to_owned();
        Err(self.bad(at, self.text.len(), why))
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..).and_then(|rest| rest.chars().next())
    }

    fn term(&self, lexeme: &Lexeme, word: &Word) -> Result<Term, BadQuery> {
        let Some(name) = &word.key else {
            if word.value.is_empty() {
                let why = "nothing stands between the quotes".to_owned();
                return Err(self.bad(lexeme.at, lexeme.end, why));
            }
            return Ok(Term::Text(word.value.clone()));
        };
        let key = self.key(lexeme, name)?;
        if word.value.is_empty() {
            return Err(self.bad(word.value_at, lexeme.end, self.missing(key)));
        }
        let bad = |why: String| self.bad(word.value_at, lexeme.end, why);
        let term = (key.read)(&word.value, word.quoted).map_err(bad)?;
        match term {
            Term::Is(is) if !keys::states(self.over).contains(&is) => {
                let known = (key.words)(self.over).join(", ");
                Err(bad(format!(
                    "{} are never that; known are {known}",
                    self.over.name()
                )))
            }
            term => Ok(term),
        }
    }

    fn key(&self, lexeme: &Lexeme, name: &str) -> Result<&'static Key, BadQuery> {
        let end = lexeme.at + name.len() + 1;
        let known = || keys::listed(self.over);
        match keys::find(name) {
            Some(key) if key.over.contains(&self.over) => Ok(key),
            Some(_) => {
                let why = format!(
                    "{} have no such key; known are {}",
                    self.over.name(),
                    known()
                );
                Err(self.bad(lexeme.at, end, why))
            }
            None => {
                let why = format!(
                    "no such key; known are {}; between quotes it is text",
                    known()
                );
                Err(self.bad(lexeme.at, end, why))
            }
        }
    }

    fn missing(&self, key: &Key) -> String {
        let words = (key.words)(self.over);
        if words.is_empty() {
            return format!("something is missing: {}", key.help);
        }
        format!("which? {}", words.join(", "))
    }
}

/// A bare `and`, `or` or `not` is no text.
fn keyword(word: Word) -> What {
    if word.key.is_some() || word.quoted {
        return What::Word(word);
    }
    match word.value.as_str() {
        "and" | "AND" => What::And,
        "or" | "OR" => What::Or,
        "not" | "NOT" => What::Not,
        _ => What::Word(word),
    }
}

struct Parser<'a> {
    reader: Reader<'a>,
    lexemes: &'a [Lexeme],
    next: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Lexeme> {
        self.lexemes.get(self.next)
    }

    fn any(&mut self) -> Result<Expr, BadQuery> {
        let mut parts = vec![self.all()?];
        while self.take(&What::Or) {
            parts.push(self.all()?);
        }
        Ok(Expr::any(parts))
    }

    fn all(&mut self) -> Result<Expr, BadQuery> {
        let mut parts = vec![self.one()?];
        loop {
            let joined = self.take(&What::And);
            match self.peek().map(|lexeme| &lexeme.what) {
                Some(What::Open | What::Minus | What::Not | What::Word(_)) => {
                    parts.push(self.one()?);
                }
                _ if joined => return Err(self.nothing("`and`")),
                _ => return Ok(Expr::all(parts)),
            }
        }
    }

    fn one(&mut self) -> Result<Expr, BadQuery> {
        let Some(lexeme) = self.lexemes.get(self.next) else {
            return Err(self.nothing("the end"));
        };
        self.depth += 1;
        if self.depth > DEPTH {
            let why = format!("more than {DEPTH} parentheses and negations in one another");
            return Err(self.reader.bad(lexeme.at, lexeme.end, why));
        }
        self.next += 1;
        let found = match &lexeme.what {
            What::Minus | What::Not => self.one()?.negated(),
            What::Open => {
                let inner = self.any()?;
                if !self.take(&What::Close) {
                    let why = "this parenthesis is not closed".to_owned();
                    return Err(self.reader.bad(lexeme.at, lexeme.end, why));
                }
                inner
            }
            What::Word(word) => Expr::Term(self.reader.term(lexeme, word)?),
            What::Close | What::And | What::Or => {
                let why = "something is missing before this; between quotes it is text".to_owned();
                return Err(self.reader.bad(lexeme.at, lexeme.end, why));
            }
        };
        self.depth -= 1;
        Ok(found)
    }

    fn take(&mut self, wanted: &What) -> bool {
        let here = self.peek().is_some_and(|lexeme| lexeme.what == *wanted);
        self.next += usize::from(here);
        here
    }

    fn nothing(&self, before: &str) -> BadQuery {
        let at = self.reader.text.len();
        let last = self.lexemes.last().map(|lexeme| &lexeme.what);
        let behind = match last {
            Some(What::Minus) => "`-`",
            Some(What::Not) => "`not`",
            Some(What::Or) => "`or`",
            Some(What::And) => "`and`",
            Some(What::Open) => "`(`",
            _ => before,
        };
        self.reader
            .bad(at, at, format!("something is missing behind {behind}"))
    }
}

/// The lexemes of a text, as far as they can be told apart, for completion.
pub(super) fn lexemes(text: &str) -> Vec<Lexeme> {
    let reader = Reader {
        text,
        over: Over::Candidates,
    };
    reader.lexemes().unwrap_or_default()
}
