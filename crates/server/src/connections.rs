//! The one loop that accepts connections: so many in all, so many of each address, and none that stands still.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep_until};
use tower::ServiceExt;

use crate::origin::Origins;
use crate::tables::lock;

/// How many connections there may be, and how long one may say nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectionBounds {
    /// In all; each needs a file of the process.
    pub all: usize,
    /// Of one address, unless it is a trusted proxy.
    pub each: usize,
    /// Until the head of a request is there, also of the next one on the same connection.
    pub head: Duration,
    /// Without a byte in either direction.
    pub idle: Duration,
}

impl Default for ConnectionBounds {
    fn default() -> ConnectionBounds {
        ConnectionBounds {
            all: 20_000,
            each: 2_000,
            head: Duration::from_secs(15),
            idle: Duration::from_secs(75),
        }
    }
}

/// Who is connected.
struct Gate {
    bounds: ConnectionBounds,
    all: Arc<Semaphore>,
    by_address: Mutex<HashMap<String, usize>>,
    origins: Origins,
}

/// A place among the connections, given back when dropped.
struct ConnectionPlace {
    gate: Arc<Gate>,
    address: Option<String>,
    _permit: OwnedSemaphorePermit,
}

impl Gate {
    fn enter(self: &Arc<Gate>, peer: SocketAddr) -> Option<ConnectionPlace> {
        let permit = Arc::clone(&self.all).try_acquire_owned().ok()?;
        let address = (!self.origins.is_proxy(peer.ip())).then(|| Origins::key(peer.ip()));
        if let Some(address) = &address {
            let mut counts = lock(&self.by_address);
            let count = counts.entry(address.clone()).or_default();
            if *count >= self.bounds.each {
                return None;
            }
            *count += 1;
        }
        Some(ConnectionPlace { gate: Arc::clone(self), address, _permit: permit })
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        let Some(address) = &self.address else { return };
        let mut counts = lock(&self.gate.by_address);
        if let Some(count) = counts.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(address);
            }
        }
    }
}

/// What is said to who finds no place.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
/// How long to wait when the system gives no connections: there may be no file left for one.
const BREATH: Duration = Duration::from_millis(50);

/// Serves connections until `stop` says true, then waits at most `grace` for those that are open.
pub(crate) async fn accept(
    listener: TcpListener,
    router: Router,
    bounds: ConnectionBounds,
    origins: Origins,
    mut stop: watch::Receiver<bool>,
    grace: Duration,
) {
    let all = Arc::new(Semaphore::new(bounds.all));
    let gate = Arc::new(Gate { bounds, all: Arc::clone(&all), by_address: Mutex::default(), origins });
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        match accepted {
            Ok((stream, peer)) => match gate.enter(peer) {
                Some(place) => {
                    let (router, stop) = (router.clone(), stop.clone());
                    tokio::spawn(serve(stream, peer, place, router, stop));
                }
                // Best effort: who floods need not read it.
                None => drop(stream.try_write(FULL)),
            },
            Err(error) => {
                tracing::warn!(%error, "no connection can be accepted");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    let everybody = u32::try_from(bounds.all).unwrap_or(u32::MAX);
    drop(tokio::time::timeout(grace, all.acquire_many(everybody)).await);
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    place: ConnectionPlace,
    router: Router,
    mut stop: watch::Receiver<bool>,
) {
    let bounds = place.gate.bounds;
    // Without it small messages of games wait for each other.
    drop(stream.set_nodelay(true));
    let stream = TokioIo::new(Watched::new(stream, bounds.idle, place));
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.head)
        .serve_connection(stream, service)
        .with_upgrades();
    let mut connection = pin!(connection);
    // How a connection ends is its own affair: the other side may just have gone.
    tokio::select! {
        ended = connection.as_mut() => return drop(ended),
        _ = stop.wait_for(|stop| *stop) => {}
    }
    connection.as_mut().graceful_shutdown();
    drop(connection.await);
}

/// A stream that breaks when no byte has moved for a while, in whatever state the connection is.
struct Watched {
    stream: TcpStream,
    idle: Duration,
    moved: Instant,
    alarm: Pin<Box<Sleep>>,
    _place: ConnectionPlace,
}

impl Watched {
    fn new(stream: TcpStream, idle: Duration, place: ConnectionPlace) -> Watched {
        let moved = Instant::now();
        Watched { stream, idle, moved, alarm: Box::pin(sleep_until(moved + idle)), _place: place }
    }

    /// Counts what has moved; an error if nothing has for too long.
    fn watch<T>(&mut self, polled: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.moved = Instant::now();
            return polled;
        }
        while self.alarm.as_mut().poll(context).is_ready() {
            let until = self.moved + self.idle;
            if until <= Instant::now() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.alarm.as_mut().reset(until);
        }
        Poll::Pending
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(context, into);
        self.watch(polled, context)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(polled, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.watch(polled, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
