//! Whatever bytes come, nobody is harmed.

use crate::fake::listener;
use crate::wire::{Wire, client_options, milliseconds, options, play, serve};
use gat::server::{Options, SeriesEnd};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// Bytes that somebody may send.
fn noise(rng: &mut impl Rng) -> Vec<u8> {
    let lines = ["SET:ABCD\r\n", "SET:EFGH,NAME:X\r\n", "MOV:A,N\r\n", "\r\n", "SET:", "MOV:"];
    let mut bytes = Vec::new();
    for _ in 0..rng.random_range(0..6) {
        match rng.random_range(0..4) {
            0 => bytes.extend((0..rng.random_range(0..40)).map(|_| rng.random::<u8>())),
            1 => bytes.extend(vec![b'x'; rng.random_range(0..3000)]),
            _ => bytes.extend(lines.choose(rng).unwrap().bytes()),
        }
    }
    bytes
}

#[test]
fn a_thousand_connections_of_noise_do_no_harm() {
    let running = serve(Options {
        games: u32::MAX,
        per_move: Duration::from_secs(1),
        budget: Duration::ZERO,
        pause: Duration::ZERO,
        ..options()
    });
    let begun = Instant::now();
    let makers = [0, 1].map(|seat| {
        let address = running.addresses[seat];
        spawn(move || {
            for number in 0..500 {
                let mut rng = ChaCha8Rng::seed_from_u64(number * 2 + seat as u64);
                let mut stream = TcpStream::connect(address).unwrap();
                if number % 2 == 0 {
                    // Every other one waits to be asked, or refused, sets up and stays a moment.
                    let _ = Wire::over(stream.try_clone().unwrap()).line();
                    let _ = stream.write_all(b"SET:ABCD\r\n");
                    sleep(milliseconds(rng.random_range(0..8)));
                }
                let _ = stream.write_all(&noise(&mut rng));
                match rng.random_range(0..4) {
                    0 => sleep(milliseconds(rng.random_range(0..10))),
                    1 => drop(stream.shutdown(Shutdown::Write)),
                    2 => drop(stream.shutdown(Shutdown::Both)),
                    _ => {}
                }
            }
        })
    });
    makers.into_iter().for_each(|maker| maker.join().unwrap());
    // Afterwards it holds a game as ever. Some noise may still wait at the door.
    let seat = |seat| loop {
        let mut wire = running.wire(seat);
        if wire.line().as_deref() == Ok("SET?") {
            break wire;
        }
    };
    let mut wires = [seat(0), seat(1)];
    for wire in &mut wires {
        wire.say("SET:ABCD");
        wire.expect("OK ");
    }
    wires[0].expect("MOV?");
    wires[0].say("MOV:A,NORTH");
    wires[0].expect("OK ");
    wires[1].expect("MOV?");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    let series = running.halt();
    assert_eq!(series.end, SeriesEnd::Stopped);
    assert!(series.games.len() > 1, "the noise began {} games", series.games.len());
    for held in series.games {
        held.log.replay(300, 0).unwrap();
    }
}

#[test]
fn servers_of_noise_do_no_harm_to_a_client() {
    let lines: [&[u8]; 7] = [
        b"SET?\r\n",
        b"OK \r\n",
        b"NG \r\n",
        b"MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\r\n",
        b"MOV?13R24R34R44R15B25B35B45B41u31u21u12u40u30u20u10u\r\n",
        b"WON:14R99r34R99r88b25B35B45B99r41r99b11b99r30r21b10b\r\n",
        b"\r\n",
    ];
    let (listener, address) = listener();
    for seed in 0..200 {
        let mut options = client_options(address, 2, seed);
        options.patience = milliseconds(1);
        options.silence = milliseconds(100);
        options.between = milliseconds(10);
        let client = play("rush", options);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut stream = listener.accept().unwrap().0;
        let mut bytes = lines[..2].concat();
        for _ in 0..rng.random_range(0..20) {
            bytes.extend(*lines.choose(&mut rng).unwrap());
            if rng.random_range(0..4) == 0 {
                bytes.extend(noise(&mut rng));
            }
        }
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let begun = Instant::now();
        listener.set_nonblocking(true).unwrap();
        while !client.is_finished() {
            drop(listener.accept()); // and closed at once, if it comes again
            sleep(milliseconds(1));
            assert!(begun.elapsed() < Duration::from_secs(20));
        }
        listener.set_nonblocking(false).unwrap();
        assert!(client.join().unwrap().games.len() <= 2);
    }
}
