//! The way in. A connection is answered here as long as it asks for what lies ready; with its first
//! request for anything else it is actix's, that request included and for good.
//!
//! Only a plain GET or HEAD is looked at, whole in one piece (`head`). What is unusual, written
//! wrongly or incomplete is handed on untouched: how such requests are answered is decided once.

mod answer;
mod connection;
mod head;
mod rewound;

pub use rewound::Rewound;

use crate::state::App;
use crate::state::connection_table::Slot;
use actix_http::error::DispatchError;
use actix_server::GracefulShutdownSignal;
use actix_service::{Service, ServiceFactory};
use connection::{Connection, End};
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

/// How long the other side has to take part in a close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

type Boxed<T> = Pin<Box<dyn Future<Output = T>>>;

/// A stream, where it comes from, and its place in the table of connections.
pub type Arrived<T> = (T, Option<SocketAddr>, Rc<Slot>);
type Passed<T> = (Rewound<T>, Option<SocketAddr>);

/// What stands before actix on a port.
#[derive(Debug)]
pub struct Front<F> {
    app: Arc<App>,
    stopping: GracefulShutdownSignal,
    inner: F,
}

impl<F> Front<F> {
    pub fn new(app: Arc<App>, stopping: GracefulShutdownSignal, inner: F) -> Self {
        Self {
            app,
            stopping,
            inner,
        }
    }
}

impl<T, F> ServiceFactory<Arrived<T>> for Front<F>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    F: ServiceFactory<Passed<T>, Config = (), Response = (), Error = DispatchError>,
    F::Service: 'static,
    F::Future: 'static,
{
    type Response = ();
    type Error = DispatchError;
    type Config = ();
    type Service = Door<F::Service>;
    type InitError = F::InitError;
    type Future = Boxed<Result<Self::Service, Self::InitError>>;

    fn new_service(&self, (): ()) -> Self::Future {
        let (app, stopping) = (Arc::clone(&self.app), self.stopping.clone());
        let inner = self.inner.new_service(());
        Box::pin(async move {
            Ok(Door {
                app,
                stopping,
                inner: Rc::new(inner.await?),
            })
        })
    }
}

/// One worker's part of the front.
#[derive(Debug)]
pub struct Door<S> {
    app: Arc<App>,
    stopping: GracefulShutdownSignal,
    inner: Rc<S>,
}

impl<T, S> Service<Arrived<T>> for Door<S>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    S: Service<Passed<T>, Response = (), Error = DispatchError> + 'static,
{
    type Response = ();
    type Error = DispatchError;
    type Future = Boxed<Result<(), DispatchError>>;

    fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), DispatchError>> {
        self.inner.poll_ready(context)
    }

    fn call(&self, (mut stream, peer, slot): Arrived<T>) -> Self::Future {
        let inner = Rc::clone(&self.inner);
        let mut connection = Connection::new(
            Arc::clone(&self.app),
            peer.map(|peer| peer.ip()),
            self.stopping.clone(),
        );
        Box::pin(async move {
            let end = tokio::select! {
                biased;
                end = connection.serve(&mut stream, &slot) => end?,
                () = slot.evicted() => End::Closed,
            };
            match end {
                End::Closed => {
                    // Whether the other side still listens to a farewell does not matter.
                    let _ = timeout(CLOSE_TIMEOUT, stream.shutdown()).await;
                    Ok(())
                }
                End::Other(read) => {
                    drop(connection);
                    let stream = Rewound::new(read, stream, Rc::clone(&slot));
                    tokio::select! {
                        biased;
                        ended = inner.call((stream, peer)) => ended,
                        () = slot.evicted() => Ok(()),
                    }
                }
            }
        })
    }
}
