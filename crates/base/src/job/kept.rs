//! What one job leaves for the next.

/// A place that keeps what the last job needed, for the next one that needs the same.
pub struct LastMade<K, T>(Option<(K, T)>);

impl<K, T> Default for LastMade<K, T> {
    fn default() -> LastMade<K, T> {
        LastMade(None)
    }
}

impl<K: PartialEq, T> LastMade<K, T> {
    /// What was made for `key`: by the last job, or else now. It must depend on `key` alone.
    pub fn get<E>(&mut self, key: K, make: impl FnOnce() -> Result<T, E>) -> Result<&mut T, E> {
        if self.0.as_ref().is_none_or(|(kept, _)| *kept != key) {
            self.0 = Some((key, make()?));
        }
        Ok(&mut self.0.as_mut().expect("it was made just now").1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_key_makes_anew() {
        let mut kept = LastMade::default();
        assert_eq!(kept.get(1, || Ok::<_, ()>("one")), Ok(&mut "one"));
        assert_eq!(kept.get(1, || Err(())), Ok(&mut "one"));
        assert_eq!(kept.get(2, || Err(())), Err(()));
        assert_eq!(kept.get(2, || Ok::<_, ()>("two")), Ok(&mut "two"));
    }
}
