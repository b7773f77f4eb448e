//! Additional ports: the redirect from plain HTTP to HTTPS, and metrics.

use super::middleware::redirect_to_public_url;
use super::server::{Running, run_on_thread, set_socket_options};
use crate::metrics;
use crate::state::App;
use actix_web::{HttpRequest, HttpResponse, HttpServer, web};
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

const CONNECTIONS_MAX: usize = 1_024;
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const KEEP_ALIVE: Duration = Duration::from_secs(5);
const STOP_SECONDS_MAX: u64 = 2;

/// Answers every request with a 308 to the same path of the public address. The request's own
/// `Host` is ignored: the client chooses it.
pub fn redirect(listener: TcpListener, public_url: String) -> io::Result<Running> {
    set_socket_options(&listener);
    run_on_thread("redirect", move || {
        let server = HttpServer::new(move || {
            let public_url = public_url.clone();
            actix_web::App::new().default_service(web::to(move |request: HttpRequest| {
                let answer = redirect_to_public_url(&public_url, request.uri());
                async move { answer }
            }))
        })
        .workers(1)
        .max_connections(CONNECTIONS_MAX)
        .client_request_timeout(REQUEST_TIMEOUT)
        .keep_alive(KEEP_ALIVE)
        .shutdown_timeout(STOP_SECONDS_MAX)
        .disable_signals();
        Ok(server.listen(listener)?.run())
    })
}

/// Serves `/metrics` and nothing else.
pub fn metrics(listener: TcpListener, app: Arc<App>) -> io::Result<Running> {
    set_socket_options(&listener);
    run_on_thread("metrics", move || {
        let data = web::Data::from(app);
        let server = HttpServer::new(move || {
            actix_web::App::new()
                .app_data(data.clone())
                .route("/metrics", web::get().to(serve_metrics))
        })
        .workers(1)
        .max_connections(CONNECTIONS_MAX)
        .client_request_timeout(REQUEST_TIMEOUT)
        .keep_alive(KEEP_ALIVE)
        .shutdown_timeout(STOP_SECONDS_MAX)
        .disable_signals();
        Ok(server.listen(listener)?.run())
    })
}

async fn serve_metrics(app: web::Data<App>) -> HttpResponse {
    match metrics::text(&app.into_inner()).await {
        Ok(text) => HttpResponse::Ok()
            .content_type("text/plain; version=0.0.4; charset=utf-8")
            .body(text),
        Err(error) => {
            tracing::error!(%error, "the figures cannot be read");
            HttpResponse::InternalServerError().finish()
        }
    }
}
