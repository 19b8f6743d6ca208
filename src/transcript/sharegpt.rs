//! ShareGPT conversations: a list of `{id, conversations: [{from, value}]}`, or one a line.
//!
//! An exchange format: whoever saved the file chose who said what.

use crate::domain::Digest;
use crate::transcript::document::{Layout, Of};
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Speaker};
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::{Format, Reader, Resume, Shape, record, wrappers};

pub(crate) const FORMAT: Format = Format {
    name: "sharegpt",
    about: "ShareGPT conversations, as a list or one a line",
    sniff: |glance| {
        glance.opening.has("conversations") || glance.any_line(|fields| fields.has("conversations"))
    },
    shape: |glance| {
        if glance.opening.bracket == b'{' && glance.opening.one_line {
            Shape::Lines
        } else {
            Shape::Document(&LAYOUT)
        }
    },
    resume: Resume::Start,
    tells: true,
    reader: || Box::new(ShareGpt::default()),
};

const LAYOUT: Layout = Layout {
    items: &[],
    fields: &[],
    whole: true,
};

#[derive(Debug, Default)]
struct ShareGpt {
    teller: Teller,
}

impl Reader for ShareGpt {
    fn take(&mut self, _of: Of, line: &Line<'_>, out: &mut Batch) {
        record::object(line, out, |fields, out| {
            self.conversation(line, fields, out);
        });
    }
}

impl ShareGpt {
    fn conversation(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let Some(Json::List(turns)) = fields.get("conversations") else {
            return out.problem(line.number, line.offset, "record has no `conversations`");
        };
        let id = fields.text("id").filter(|id| !id.is_empty());
        for (at, turn) in turns.iter().enumerate() {
            let from = turn.text_of("from").or_else(|| turn.text_of("role"));
            let value = turn.text_of("value").or_else(|| turn.text_of("content"));
            let (Some(from), Some(value)) = (from, value) else {
                out.problem(line.number, line.offset, "turn has no `from` or no `value`");
                continue;
            };
            let Some(speaker) = speaker(from) else {
                out.unknown(&format!("from:{from}"));
                continue;
            };
            let mut stamp = Stamp::new(FORMAT.name, line, Digest::of(value.as_bytes()));
            stamp.record = id.map(|id| format!("{id}/{at}"));
            stamp.session = id.map(str::to_owned);
            let pieces = match speaker {
                Speaker::Person | Speaker::Tool => wrappers::pieces(value, speaker),
                _ => wrappers::unwrapped(value, speaker),
            };
            self.teller.say(pieces, &mut stamp, out);
        }
    }
}

fn speaker(from: &str) -> Option<Speaker> {
    Some(match from {
        "human" | "user" => Speaker::Person,
        "gpt" | "assistant" | "model" | "chatgpt" | "bing" | "bard" | "function_call" => {
            Speaker::Model
        }
        "observation" | "tool" | "function_response" => Speaker::Tool,
        "system" => Speaker::Harness,
        _ => return None,
    })
}
