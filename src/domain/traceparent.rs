//! The trace context of whoever called: W3C `traceparent`, read strictly at the door.
//!
//! Only the ids and the flags are kept. What cannot be read is no context: a caller's trace is
//! never repaired and never invented.

use std::fmt;

/// Whose span an act belongs to, as the caller said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceParent {
    /// The trace.
    pub trace: [u8; 16],
    /// The caller's span in it.
    pub span: [u8; 8],
    /// The flags as they came; bit 0 says that the caller records.
    pub flags: u8,
}

/// A text that is no trace context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadTraceParent;

impl fmt::Display for BadTraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is no W3C traceparent such as 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01")
    }
}

impl std::error::Error for BadTraceParent {}

impl TraceParent {
    /// Reads `version-trace-span-flags` in lower-case hexadecimal. Later versions may say more
    /// behind a further dash; version 00 may not.
    ///
    /// # Errors
    /// Anything else: upper case, white space, version ff, an id of nothing but zeros.
    pub fn parse(text: &str) -> Result<Self, BadTraceParent> {
        let (version, rest) = text.split_once('-').ok_or(BadTraceParent)?;
        let [version] = bytes::<1>(version)?;
        let (trace, rest) = rest.split_once('-').ok_or(BadTraceParent)?;
        let (span, rest) = rest.split_once('-').ok_or(BadTraceParent)?;
        let flags = match (version, rest.split_once('-')) {
            (0xff, _) | (0, Some(_)) => return Err(BadTraceParent),
            (_, Some((flags, _))) => flags,
            (_, None) => rest,
        };
        let [flags] = bytes::<1>(flags)?;
        let (trace, span) = (bytes::<16>(trace)?, bytes::<8>(span)?);
        if trace == [0; 16] || span == [0; 8] {
            return Err(BadTraceParent);
        }
        Ok(Self { trace, span, flags })
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("00-")?;
        self.trace
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("-")?;
        self.span
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, "-{:02x}", self.flags)
    }
}

/// Exactly so many bytes in lower-case hexadecimal.
fn bytes<const N: usize>(text: &str) -> Result<[u8; N], BadTraceParent> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(BadTraceParent),
    };
    if text.len() != N * 2 {
        return Err(BadTraceParent);
    }
    let mut out = [0_u8; N];
    for (slot, pair) in out.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let &[high, low] = pair else {
            return Err(BadTraceParent);
        };
        *slot = digit(high)? << 4 | digit(low)?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::TraceParent;

    const GOOD: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

    #[test]
    fn a_trace_context_is_read_as_it_is_written() {
        let read = TraceParent::parse(GOOD).unwrap();
        assert_eq!(read.to_string(), GOOD);
        assert_eq!((read.trace[0], read.span[1], read.flags), (0x0a, 0xf0, 1));
        // A later version may say more; what we know of it is kept.
        let later = TraceParent::parse(&format!("{}-more", GOOD.replacen("00", "01", 1))).unwrap();
        assert_eq!(later, read);
    }

    #[test]
    fn anything_else_is_none() {
        for bad in [
            "",
            "00",
            "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7",
            "00-0AF7651916CD43DD8448EB211C80319C-00f067aa0ba902b7-01",
            "ff-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01-more",
            "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-1",
            "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01 ",
            " 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
            "00-0af7651916cd43dd8448eb211c8031é-00f067aa0ba902b7-01",
            "00_0af7651916cd43dd8448eb211c80319c_00f067aa0ba902b7_01",
        ] {
            assert!(TraceParent::parse(bad).is_err(), "{bad}");
        }
    }
}
