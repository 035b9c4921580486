//! `slow-client`: clients that send half a request, trickle a body or never read their answers.

use super::environment::Environment;
use super::fault::{Fault, FaultDuration};
use crate::Failure;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Builder;

/// The number of clients of each kind.
const CLIENTS_PER_KIND: usize = 40;

/// The interval between two bytes, and between two checks of the flag.
const BYTE_INTERVAL: Duration = Duration::from_millis(50);

/// The number of requests whose responses a client does not read.
const UNREAD_REQUESTS: usize = 200;

/// Slow clients, on a thread of their own.
#[derive(Default)]
pub(super) struct SlowClient {
    running: Option<(Arc<AtomicBool>, JoinHandle<()>)>,
}

impl Fault for SlowClient {
    fn inject(
        &mut self,
        site: &mut Environment,
        random: &mut ChaCha8Rng,
    ) -> Result<FaultDuration, Failure> {
        let address = site.address().trim_start_matches("http://").parse::<SocketAddr>();
        let address = address.map_err(|error| format!("the site has no address: {error}"))?;
        let over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&over);
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot start the slow clients: {error}"))?;
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                let clients: Vec<_> = (0..3 * CLIENTS_PER_KIND)
                    .map(|number| tokio::spawn(run_client(address, number, Arc::clone(&flag))))
                    .collect();
                for client in clients {
                    // The site may well close the connection.
                    let _ = client.await;
                }
            });
        });
        self.running = Some((over, thread));
        Ok(FaultDuration::For(Duration::from_millis(random.random_range(600..1200))))
    }

    fn remove(&mut self, _: &mut Environment) -> Result<(), Failure> {
        let Some((over, thread)) = self.running.take() else { return Ok(()) };
        over.store(true, Relaxed);
        thread.join().map_err(|_| "a slow client failed".to_owned())
    }
}

/// Runs one client until the flag is raised or the site closes the connection.
async fn run_client(site: SocketAddr, number: usize, over: Arc<AtomicBool>) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    // Addresses of their own, so that limits per address do not affect the visitors.
    socket.bind(SocketAddr::from(([127, 0, 1 + (number / CLIENTS_PER_KIND) as u8, 1], 0)))?;
    let mut stream = socket.connect(site).await?;
    let path = "/api/v1/puzzles/daily/attempts";
    match number / CLIENTS_PER_KIND {
        0 => {
            let half = format!("POST {path} HTTP/1.1\r\nHost: x\r\nConte");
            stream.write_all(half.as_bytes()).await?;
        }
        1 => {
            let head = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n";
            stream.write_all(format!("POST {path} HTTP/1.1\r\n{head}").as_bytes()).await?;
            return trickle(&mut stream, &over).await;
        }
        _ => {
            let request = "GET /api/v1/puzzles HTTP/1.1\r\nHost: x\r\n\r\n".repeat(UNREAD_REQUESTS);
            let written = stream.write_all(request.as_bytes());
            // Once its buffers are full, the site reads no more.
            let _ = tokio::time::timeout(Duration::from_secs(1), written).await;
        }
    }
    while !over.load(Relaxed) {
        tokio::time::sleep(BYTE_INTERVAL).await;
    }
    Ok(())
}

async fn trickle(stream: &mut TcpStream, over: &AtomicBool) -> std::io::Result<()> {
    while !over.load(Relaxed) {
        stream.write_all(b" ").await?;
        tokio::time::sleep(BYTE_INTERVAL).await;
    }
    Ok(())
}
