//! A state machine with counters, driven by events.

/// One side of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(beget::Heap))]
pub struct Connection {
    state: State,
    next_seq: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(beget::Heap))]
enum State {
    Idle,
    Connecting { attempts: u8 },
    Open { unacknowledged: Vec<u32> },
    Closed,
}

/// What happens to a connection.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(beget::Domain))]
pub enum Event<'a> {
    /// The user wants it.
    Connect,
    /// The other side says yes.
    Accept,
    /// The other side is silent.
    Timeout,
    /// The user sends something.
    Send(&'a str),
    /// Everything before this number has arrived.
    Acknowledge(u32),
}

/// The event makes no sense in this state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused;

#[cfg_attr(test, beget::api)]
impl Connection {
    /// A connection that nobody has asked for.
    pub fn new() -> Self {
        Connection { state: State::Idle, next_seq: 0 }
    }

    /// Makes of an event what follows from it.
    ///
    /// # Errors
    /// If the event makes no sense in this state, which stays as it is.
    pub fn handle(&mut self, event: Event<'_>) -> Result<(), Refused> {
        match (&mut self.state, event) {
            (State::Idle, Event::Connect) => self.state = State::Connecting { attempts: 1 },
            (State::Connecting { .. }, Event::Accept) => {
                self.state = State::Open { unacknowledged: vec![] };
            }
            (State::Connecting { attempts: 3 }, Event::Timeout) => self.state = State::Closed,
            (State::Connecting { attempts }, Event::Timeout) => *attempts += 1,
            (State::Open { unacknowledged }, Event::Send(text)) if !text.is_empty() => {
                unacknowledged.push(self.next_seq);
                self.next_seq += 1;
            }
            (State::Open { unacknowledged }, Event::Acknowledge(before)) => {
                unacknowledged.retain(|&seq| seq >= before);
            }
            _ => return Err(Refused),
        }
        Ok(())
    }

    #[cfg(test)]
    #[beget::invariant]
    fn what_is_unacknowledged_was_sent_last(&self) -> bool {
        let State::Open { unacknowledged } = &self.state else { return true };
        let first = self.next_seq - unacknowledged.len() as u32;
        unacknowledged.iter().copied().eq(first..self.next_seq)
    }
}

impl Default for Connection {
    fn default() -> Self {
        Connection::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_connection_is_sound() {
        // Idle, closed, three attempts; open ones that have sent n and wait for the last of them.
        let open: u64 = (0..=3).map(|n| n + 1).sum();
        let sent = beget::check!(
            Connection, k = 3, ints = 0..=k, fields = {"Connection.next_seq": "0..=k"}
        );
        assert_eq!(sent.generated(), 1 + 1 + 3 + open);
    }
}
