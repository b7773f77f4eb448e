//! Growing delays after repeated tries, in bounded memory. Never a lock for good.

use super::token;
use std::collections::HashMap;

/// How far a clock may step back, or two that asked at once stand apart.
const BACK_MILLISECONDS_MAX: i64 = 60_000;

/// How a door answers those who keep knocking.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Tries that cost nothing.
    pub free_tries: u32,
    /// Delay after the first try that is not free; it doubles with each further one.
    pub delay_milliseconds_first: i64,
    pub delay_milliseconds_max: i64,
    /// Tries older than this are forgotten.
    pub memory_milliseconds: i64,
    /// Keys remembered at once; beyond, the one that knocked longest ago is forgotten.
    pub keys_max: usize,
}

#[derive(Debug, Clone, Copy)]
struct Tries {
    count: u32,
    last_at: i64,
    open_at: i64,
}

/// Tries by the hash of a key (an address, an account): a long key takes no more room than a
/// short one, so that `keys_max` bounds the bytes too.
#[derive(Debug)]
pub struct Throttle {
    rule: Rule,
    tries: HashMap<[u8; 32], Tries>,
}

impl Throttle {
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            tries: HashMap::new(),
        }
    }

    /// Counts a try and says the how-manieth it is, or after how many seconds one is let in.
    ///
    /// A try counts when it begins, so that parallel ones do not slip through; `forgive` takes
    /// the count back. A try while the door is shut does not make the delay longer. Tries that a
    /// clock put right since calls future ones count no more: doors would stay shut for as long.
    pub fn attempt(&mut self, key: &str, now: i64) -> Result<u32, u64> {
        let rule = self.rule;
        let key = token::hash(key);
        let known = self.tries.get(&key).copied();
        let known = known.filter(|tries| rule.remembers(tries, now));
        let count = match known {
            Some(tries) if now < tries.open_at => return Err(seconds(tries.open_at - now)),
            Some(tries) => tries.count.saturating_add(1),
            None => 1,
        };
        let open_at = now + rule.delay_milliseconds(count);
        if !self.tries.contains_key(&key) {
            self.make_room(now);
        }
        self.tries.insert(
            key,
            Tries {
                count,
                last_at: now,
                open_at,
            },
        );
        Ok(count)
    }

    /// Forgets the tries of a key: it has shown that it belongs here.
    pub fn forgive(&mut self, key: &str) {
        self.tries.remove(&token::hash(key));
    }

    fn make_room(&mut self, now: i64) {
        if self.tries.len() < self.rule.keys_max {
            return;
        }
        let rule = self.rule;
        self.tries.retain(|_, tries| rule.remembers(tries, now));
        while self.tries.len() >= self.rule.keys_max {
            let oldest = self.tries.iter().min_by_key(|(_, tries)| tries.last_at);
            let Some(key) = oldest.map(|(key, _)| *key) else {
                return;
            };
            self.tries.remove(&key);
        }
    }
}

impl Rule {
    fn remembers(&self, tries: &Tries, now: i64) -> bool {
        let age = now.saturating_sub(tries.last_at);
        (-BACK_MILLISECONDS_MAX..self.memory_milliseconds).contains(&age)
    }

    fn delay_milliseconds(&self, count: u32) -> i64 {
        let Some(doublings) = count.checked_sub(self.free_tries) else {
            return 0;
        };
        let factor = 1_i64.checked_shl(doublings.min(30)).unwrap_or(i64::MAX);
        self.delay_milliseconds_first
            .saturating_mul(factor)
            .min(self.delay_milliseconds_max)
    }
}

fn seconds(milliseconds: i64) -> u64 {
    u64::try_from(milliseconds)
        .unwrap_or(0)
        .div_ceil(1_000)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(throttle: &mut Throttle, key: &str, now: i64) -> Result<(), u64> {
        throttle.attempt(key, now).map(drop)
    }

    const RULE: Rule = Rule {
        free_tries: 3,
        delay_milliseconds_first: 1_000,
        delay_milliseconds_max: 8_000,
        memory_milliseconds: 60_000,
        keys_max: 3,
    };

    #[test]
    fn the_delay_grows_to_its_limit_and_knocking_does_not_lengthen_it() {
        let mut throttle = Throttle::new(RULE);
        let mut now = 0;
        for _ in 0..3 {
            assert_eq!(attempt(&mut throttle, "a", now), Ok(()));
        }
        for delay in [1, 2, 4, 8, 8] {
            assert_eq!(attempt(&mut throttle, "a", now), Err(delay));
            assert_eq!(attempt(&mut throttle, "a", now + 500), Err(delay));
            now += i64::try_from(delay).unwrap() * 1_000;
            assert_eq!(attempt(&mut throttle, "a", now), Ok(()), "after {delay} s");
        }
        assert_eq!(attempt(&mut throttle, "b", now), Ok(()));
    }

    #[test]
    fn forgiveness_and_time_open_the_door() {
        let mut throttle = Throttle::new(RULE);
        for _ in 0..3 {
            assert_eq!(attempt(&mut throttle, "a", 0), Ok(()));
        }
        throttle.forgive("a");
        for _ in 0..3 {
            assert_eq!(attempt(&mut throttle, "a", 0), Ok(()));
        }
        assert_eq!(attempt(&mut throttle, "a", 60_001), Ok(()));
        assert_eq!(attempt(&mut throttle, "a", 60_001), Ok(()));
    }

    /// A clock three days ahead was put right, and the next visitor was told to come in 259,184 s.
    #[test]
    fn a_clock_that_is_set_back_shuts_no_door() {
        let mut throttle = Throttle::new(RULE);
        let ahead = 3 * 24 * 60 * 60_000;
        for _ in 0..3 {
            assert_eq!(attempt(&mut throttle, "a", ahead), Ok(()));
        }
        assert_eq!(attempt(&mut throttle, "a", ahead), Err(1));
        // Two that came at once, the one with the earlier moment counted last.
        assert_eq!(attempt(&mut throttle, "a", ahead - 1), Err(2));
        for _ in 0..3 {
            assert_eq!(attempt(&mut throttle, "a", 0), Ok(()));
        }
        assert_eq!(attempt(&mut throttle, "a", 0), Err(1));
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut throttle = Throttle::new(RULE);
        for number in 0..1_000_i64 {
            assert_eq!(attempt(&mut throttle, &number.to_string(), number), Ok(()));
            assert!(throttle.tries.len() <= 3);
        }
    }
}
