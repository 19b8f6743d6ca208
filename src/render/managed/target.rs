//! Where approved memory can be written for the agents that read files: one line a target.

/// One kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Who reads it.
    pub about: &'static str,
    /// Where it stands in a project.
    pub file: &'static str,
    /// How the file is shared with people.
    pub shape: Shape,
    /// How many bytes of it are ours at most.
    pub budget: usize,
}

/// Whether the file is ours or people's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A file of our own, with what must stand at its top.
    Own(&'static str),
    /// One block in a file that people write.
    Block,
}

impl Shape {
    /// Whether the whole file is ours.
    #[must_use]
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Own(_))
    }

    /// What stands at the top of a new file.
    #[must_use]
    pub const fn front(self) -> &'static str {
        match self {
            Self::Own(front) => front,
            Self::Block => "",
        }
    }
}

/// Every target, the best for its reader first.
pub const TARGETS: &[Target] = &[
    Target {
        name: "claude-rules",
        about: "Claude Code, as a rules file of our own",
        file: ".claude/rules/countersign.md",
        shape: Shape::Own(""),
        budget: 24 * 1024,
    },
    Target {
        name: "cursor",
        about: "Cursor, as a rule of our own",
        file: ".cursor/rules/countersign.mdc",
        shape: Shape::Own(
            "---\ndescription: Shared memory approved by people\nalwaysApply: true\n---\n",
        ),
        budget: 24 * 1024,
    },
    Target {
        name: "agents",
        about: "Codex and others that read AGENTS.md",
        file: "AGENTS.md",
        shape: Shape::Block,
        budget: 24 * 1024,
    },
    Target {
        name: "claude",
        about: "Claude Code, a block in CLAUDE.md",
        file: "CLAUDE.md",
        shape: Shape::Block,
        budget: 16 * 1024,
    },
    Target {
        name: "gemini",
        about: "Gemini CLI, a block in GEMINI.md",
        file: "GEMINI.md",
        shape: Shape::Block,
        budget: 24 * 1024,
    },
    Target {
        name: "copilot",
        about: "GitHub Copilot, a block in its instructions",
        file: ".github/copilot-instructions.md",
        shape: Shape::Block,
        budget: 24 * 1024,
    },
];
