//! Ends a sender between two messages when the program stops.
//!
//! A delivery that is cut off has an unknown outcome: a confirmation would be sent twice, and a
//! newsletter never again to that recipient.

use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// Requests the stop. Dropping it requests the stop too.
#[derive(Debug)]
pub struct StopSwitch(watch::Sender<bool>);

impl StopSwitch {
    pub fn request_stop(&self) {
        self.0.send_replace(true);
    }
}

/// The sender's end of a [`StopSwitch`].
#[derive(Debug, Clone)]
pub struct StopSignal(watch::Receiver<bool>);

impl StopSignal {
    pub fn new() -> (StopSwitch, Self) {
        let (switch, signal) = watch::channel(false);
        (StopSwitch(switch), Self(signal))
    }

    /// Waits for the given time, or until `wake` is ready. Returns `false` once the sender must
    /// stop, at once.
    pub async fn wait(&mut self, time: Duration, wake: impl Future<Output = ()>) -> bool {
        let must_stop = tokio::select! {
            biased;
            _ = self.0.changed() => true,
            _ = timeout(time, wake) => false,
        };
        !must_stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::{pending, ready};

    #[tokio::test]
    async fn a_wait_ends_with_its_time_its_wake_up_or_the_stop() {
        let (switch, mut signal) = StopSignal::new();
        assert!(signal.wait(Duration::from_millis(1), pending()).await);
        assert!(signal.wait(Duration::MAX, ready(())).await);
        switch.request_stop();
        assert!(!signal.clone().wait(Duration::MAX, ready(())).await);
        assert!(!signal.wait(Duration::MAX, pending()).await);
    }
}
