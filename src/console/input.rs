//! A text that is being typed: exact bytes and a cursor. Draws nothing, changes nothing it was given.

/// Typed text; the cursor is a byte on a character boundary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Input {
    text: String,
    cursor: usize,
    past: Vec<(String, usize)>,
}

/// How far back an input remembers.
const MEMORY: usize = 200;

impl Input {
    pub(crate) fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            cursor: text.len(),
            past: Vec::new(),
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) const fn cursor(&self) -> usize {
        self.cursor
    }

    pub(crate) fn insert(&mut self, new: &str) {
        self.remember();
        self.text.insert_str(self.cursor, new);
        self.cursor += new.len();
    }

    /// Puts another text in place of what stands from here to the cursor.
    pub(crate) fn replace(&mut self, from: usize, new: &str) {
        let old = self.text.get(from..self.cursor);
        if old.is_some_and(|old| old != new) {
            self.remember();
            self.text.replace_range(from..self.cursor, new);
            self.cursor = from + new.len();
        }
    }

    pub(crate) fn backspace(&mut self) {
        let to = self.before(self.cursor);
        self.cut(to, self.cursor);
    }

    pub(crate) fn delete(&mut self) {
        self.cut(self.cursor, self.after(self.cursor));
    }

    /// Takes out the word before the cursor.
    pub(crate) fn backspace_word(&mut self) {
        let head = self.text.get(..self.cursor).unwrap_or_default();
        let kept = head
            .trim_end()
            .rfind(char::is_whitespace)
            .map_or(0, |at| self.after(at));
        self.cut(kept, self.cursor);
    }

    pub(crate) fn undo(&mut self) -> bool {
        let Some((text, cursor)) = self.past.pop() else {
            return false;
        };
        self.text = text;
        self.cursor = cursor;
        true
    }

    pub(crate) fn left(&mut self) {
        self.cursor = self.before(self.cursor);
    }

    pub(crate) fn right(&mut self) {
        self.cursor = self.after(self.cursor);
    }

    pub(crate) fn home(&mut self) {
        self.cursor = self.line_start(self.cursor);
    }

    pub(crate) fn end(&mut self) {
        self.cursor = self.line_end(self.cursor);
    }

    pub(crate) fn up(&mut self) {
        let start = self.line_start(self.cursor);
        if start > 0 {
            let column = self.chars(start, self.cursor);
            self.cursor = self.along(self.line_start(start - 1), column);
        }
    }

    pub(crate) fn down(&mut self) {
        let end = self.line_end(self.cursor);
        if end < self.text.len() {
            let column = self.chars(self.line_start(self.cursor), self.cursor);
            self.cursor = self.along(end + 1, column);
        }
    }

    fn remember(&mut self) {
        self.past.push((self.text.clone(), self.cursor));
        if self.past.len() > MEMORY {
            self.past.remove(0);
        }
    }

    fn cut(&mut self, from: usize, to: usize) {
        if from < to {
            self.remember();
            self.text.replace_range(from..to, "");
            self.cursor = from;
        }
    }

    fn before(&self, at: usize) -> usize {
        self.text
            .get(..at)
            .and_then(|head| head.chars().next_back())
            .map_or(0, |c| at - c.len_utf8())
    }

    fn after(&self, at: usize) -> usize {
        self.text
            .get(at..)
            .and_then(|tail| tail.chars().next())
            .map_or(at, |c| at + c.len_utf8())
    }

    fn line_start(&self, at: usize) -> usize {
        self.text
            .get(..at)
            .and_then(|head| head.rfind('\n'))
            .map_or(0, |feed| feed + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        let tail = self.text.get(at..).unwrap_or_default();
        tail.find('\n').map_or(self.text.len(), |feed| at + feed)
    }

    fn chars(&self, from: usize, to: usize) -> usize {
        self.text
            .get(from..to)
            .map_or(0, |part| part.chars().count())
    }

    fn along(&self, start: usize, column: usize) -> usize {
        let line = self
            .text
            .get(start..self.line_end(start))
            .unwrap_or_default();
        start + line.chars().take(column).map(char::len_utf8).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::Input;

    #[test]
    fn what_is_typed_is_what_is_kept_byte_for_byte() {
        let hostile = "a\u{202e}b\tc\u{e0041}\n e\u{301}";
        let mut input = Input::of(hostile);
        assert_eq!(input.text(), hostile);
        input.insert("\u{200b}x");
        assert_eq!(input.text(), format!("{hostile}\u{200b}x"));
        input.backspace();
        input.backspace();
        assert_eq!(input.text(), hostile);
        while input.undo() {}
        assert_eq!(input.text(), hostile);
    }

    #[test]
    fn the_cursor_moves_by_characters_and_lines() {
        let mut input = Input::of("äb\ncd\n");
        (0..5).for_each(|_| input.left());
        input.home();
        input.right();
        input.down();
        input.insert("-");
        assert_eq!(input.text(), "äb\nc-d\n");
        input.home();
        input.delete();
        assert_eq!(input.text(), "äb\n-d\n");
        input.up();
        input.end();
        input.insert("!");
        assert_eq!(input.text(), "äb!\n-d\n");
        input.backspace_word();
        assert_eq!(input.text(), "\n-d\n");
    }
}
