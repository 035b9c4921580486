//! A queue that is fair between clients: round robin between addresses, and at each address round robin
//! between people. A client that sends a hundred jobs waits for ninety-nine of its own and for one of
//! each other client.

use crate::caller::Client;
use std::collections::{HashMap, VecDeque};

/// How many jobs may wait or run at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) per_person: usize,
    pub(super) per_address: usize,
    pub(super) in_all: usize,
}

/// There is no room for another job of this client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

struct PersonQueue<T> {
    person: String,
    jobs: VecDeque<(u64, T)>,
}

struct AddressQueue<T> {
    address: String,
    people: VecDeque<PersonQueue<T>>,
}

impl<T> AddressQueue<T> {
    fn len(&self) -> usize {
        self.people.iter().map(|person| person.jobs.len()).sum()
    }
}

/// The queue. Jobs count against the limits from [`push`](FairQueue::push) to
/// [`done`](FairQueue::done).
pub(super) struct FairQueue<T> {
    limits: Limits,
    addresses: VecDeque<AddressQueue<T>>,
    by_person: HashMap<String, usize>,
    by_address: HashMap<String, usize>,
    admitted: usize,
}

impl<T> FairQueue<T> {
    pub(super) fn new(limits: Limits) -> FairQueue<T> {
        FairQueue {
            limits,
            addresses: VecDeque::new(),
            by_person: HashMap::new(),
            by_address: HashMap::new(),
            admitted: 0,
        }
    }

    /// Adds a job under a number that no other job has.
    pub(super) fn push(&mut self, client: &Client, number: u64, job: T) -> Result<(), Full> {
        let count = |map: &HashMap<String, usize>, key| map.get(key).copied().unwrap_or(0);
        if self.admitted >= self.limits.in_all
            || count(&self.by_person, &client.person) >= self.limits.per_person
            || count(&self.by_address, &client.address) >= self.limits.per_address
        {
            return Err(Full);
        }
        self.admitted += 1;
        *self.by_person.entry(client.person.clone()).or_default() += 1;
        *self.by_address.entry(client.address.clone()).or_default() += 1;
        let at = self.addresses.iter().position(|one| one.address == client.address);
        let at = at.unwrap_or_else(|| {
            let address = client.address.clone();
            self.addresses.push_back(AddressQueue { address, people: VecDeque::new() });
            self.addresses.len() - 1
        });
        let people = &mut self.addresses[at].people;
        match people.iter_mut().find(|one| one.person == client.person) {
            Some(one) => one.jobs.push_back((number, job)),
            None => people.push_back(PersonQueue {
                person: client.person.clone(),
                jobs: VecDeque::from([(number, job)]),
            }),
        }
        Ok(())
    }

    /// The job whose turn it is.
    pub(super) fn pop(&mut self) -> Option<(u64, T)> {
        let mut address = self.addresses.pop_front()?;
        let mut person = address.people.pop_front()?;
        let job = person.jobs.pop_front();
        if !person.jobs.is_empty() {
            address.people.push_back(person);
        }
        if !address.people.is_empty() {
            self.addresses.push_back(address);
        }
        job
    }

    /// Removes a job whose result is not needed any more; `None` if it is not waiting.
    pub(super) fn remove(&mut self, client: &Client, number: u64) -> Option<T> {
        let at = self.addresses.iter().position(|one| one.address == client.address)?;
        let people = &mut self.addresses[at].people;
        let place = people.iter().position(|one| one.person == client.person)?;
        let jobs = &mut people[place].jobs;
        let (_, job) = jobs.remove(jobs.iter().position(|(one, _)| *one == number)?)?;
        if jobs.is_empty() {
            people.remove(place);
        }
        if people.is_empty() {
            self.addresses.remove(at);
        }
        Some(job)
    }

    /// A job of this client is finished or was removed.
    pub(super) fn done(&mut self, client: &Client) {
        let lower = |map: &mut HashMap<String, usize>, key: &str| {
            if let Some(count) = map.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    map.remove(key);
                }
            }
        };
        self.admitted = self.admitted.saturating_sub(1);
        lower(&mut self.by_person, &client.person);
        lower(&mut self.by_address, &client.address);
    }

    /// Jobs that wait.
    pub(super) fn waiting(&self) -> usize {
        self.addresses.iter().map(AddressQueue::len).sum()
    }

    /// Addresses at which a job waits.
    pub(super) fn waiting_addresses(&self) -> usize {
        self.addresses.len()
    }

    /// Jobs that would be served before a new one of this client: its own, and of every other address
    /// one for each round that the client waits.
    pub(super) fn ahead_of(&self, client: &Client) -> usize {
        let (own, others): (Vec<_>, Vec<_>) =
            self.addresses.iter().partition(|one| one.address == client.address);
        let own: usize = own.into_iter().map(AddressQueue::len).sum();
        own + others.into_iter().map(|one| one.len().min(own + 1)).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMITS: Limits = Limits { per_person: 5, per_address: 9, in_all: 20 };

    fn client(address: u8, person: u8) -> Client {
        Client { address: format!("address {address}"), person: format!("person {person}") }
    }

    /// What the queue does, without any of its structure: the slow twin.
    #[derive(Default)]
    struct Model {
        waiting: Vec<(Client, u64)>,
        admitted: Vec<Client>,
    }

    impl Model {
        fn may_push(&self, one: &Client) -> bool {
            let person = self.admitted.iter().filter(|client| client.person == one.person).count();
            let address = self.admitted.iter().filter(|client| client.address == one.address);
            self.admitted.len() < LIMITS.in_all
                && person < LIMITS.per_person
                && address.count() < LIMITS.per_address
        }
    }

    proptest! {
        /// No order of pushes, pops, removals and ends breaks a limit, loses a job, serves one twice, or
        /// lets an address with a waiting job be overtaken twice by the same other address.
        #[test]
        fn the_queue_is_bounded_and_fair(steps in prop::collection::vec((0u8..4, 0u8..4, 0u8..3), 1..300)) {
            let mut queue = FairQueue::new(LIMITS);
            let mut model = Model::default();
            let mut running: Vec<Client> = Vec::new();
            // For each address that waits: who was served since it began to wait at the front of its own.
            let mut overtaken: HashMap<String, Vec<String>> = HashMap::new();
            for (number, (what, address, person)) in (0u64..).zip(steps) {
                let one = client(address, address * 4 + person);
                match what {
                    0 | 1 => {
                        let may = model.may_push(&one);
                        prop_assert_eq!(queue.push(&one, number, (one.clone(), number)), if may { Ok(()) } else { Err(Full) });
                        if may {
                            model.admitted.push(one.clone());
                            model.waiting.push((one.clone(), number));
                            overtaken.entry(one.address.clone()).or_default();
                        }
                    }
                    2 => {
                        let Some((_, (served, number))) = queue.pop() else {
                            prop_assert!(model.waiting.is_empty());
                            continue;
                        };
                        // A person's own jobs come in their order.
                        let first = model.waiting.iter().find(|(client, _)| *client == served).unwrap();
                        prop_assert_eq!(first.1, number);
                        model.waiting.retain(|(_, one)| *one != number);
                        overtaken.remove(&served.address);
                        for (address, by) in &mut overtaken {
                            prop_assert!(!by.contains(&served.address), "{} waits too long", address);
                            by.push(served.address.clone());
                        }
                        if model.waiting.iter().any(|(client, _)| client.address == served.address) {
                            overtaken.insert(served.address.clone(), Vec::new());
                        }
                        running.push(served);
                    }
                    _ if person == 0 => {
                        // Somebody has gone away.
                        let found = model.waiting.iter().find(|(client, _)| client.address == one.address).cloned();
                        if let Some((gone, number)) = found {
                            prop_assert!(queue.remove(&gone, number).is_some());
                            prop_assert!(queue.remove(&gone, number).is_none());
                            queue.done(&gone);
                            model.waiting.retain(|(_, one)| *one != number);
                            let at = model.admitted.iter().position(|one| *one == gone).unwrap();
                            model.admitted.remove(at);
                            if !model.waiting.iter().any(|(client, _)| client.address == gone.address) {
                                overtaken.remove(&gone.address);
                            }
                        }
                    }
                    _ => if let Some(ended) = running.pop() {
                        queue.done(&ended);
                        let at = model.admitted.iter().position(|one| *one == ended).unwrap();
                        model.admitted.remove(at);
                    },
                }
                prop_assert_eq!(queue.waiting(), model.waiting.len());
            }
        }
    }

    #[test]
    fn a_busy_client_delays_only_itself() {
        let mut queue = FairQueue::new(Limits { per_person: 100, per_address: 100, in_all: 200 });
        for number in 0..90 {
            queue.push(&client(0, number as u8 % 30), number, "attacker").unwrap();
        }
        assert_eq!(queue.ahead_of(&client(1, 99)), 1);
        queue.push(&client(1, 99), 1000, "visitor").unwrap();
        queue.push(&client(1, 99), 1001, "visitor").unwrap();
        let served: Vec<&str> = (0..4).map(|_| queue.pop().unwrap().1).collect();
        assert_eq!(served, ["attacker", "visitor", "attacker", "visitor"]);
        // At one address everybody's turn comes before anybody's second.
        let mut queue = FairQueue::new(Limits { per_person: 100, per_address: 100, in_all: 200 });
        for number in 0..20 {
            queue.push(&client(0, 7), number, 7).unwrap();
        }
        queue.push(&client(0, 8), 20, 8).unwrap();
        assert_eq!((queue.pop().unwrap().1, queue.pop().unwrap().1), (7, 8));
    }
}
