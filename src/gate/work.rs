//! How much was looked at, counted where tests ask: bytes and steps, which no busy machine changes.

/// Counts this many steps; nothing where nobody counts.
#[cfg(not(test))]
pub(crate) const fn work(_steps: usize) {}

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
pub(crate) fn work(steps: usize) {
    STEPS.with(|count| count.set(count.get().saturating_add(steps)));
}

/// The steps that an act takes.
#[cfg(test)]
pub(crate) fn steps_of(act: impl FnOnce()) -> usize {
    STEPS.with(|count| count.set(0));
    act();
    STEPS.with(std::cell::Cell::get)
}
