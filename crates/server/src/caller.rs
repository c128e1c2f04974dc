//! Who sends a request: an address, perhaps with a token.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, StatusCode};

use crate::app::App;
use crate::engine::Client;
use crate::fault::Fault;
use crate::token::{self, Asker};

/// The sender of a request.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) asker: Asker,
    /// The address, as text.
    pub(crate) address: String,
}

impl Caller {
    /// On whose behalf engines work: an account is one client wherever it comes from.
    pub(crate) fn client(&self) -> Client {
        match &self.asker.account {
            Some(name) => format!("account {name}").into(),
            None => self.address.as_str().into(),
        }
    }

    /// The account, or that one is needed.
    pub(crate) fn account(&self) -> Result<&str, Fault> {
        self.asker.account.as_deref().ok_or_else(|| {
            Fault::new(
                StatusCode::UNAUTHORIZED,
                "expected `authorization: Bearer TOKEN` with an account's token",
            )
        })
    }
}

/// Who has this token; an account's must exist, a seat's is checked at its table.
pub(crate) async fn asker(app: &App, token: Option<&str>) -> Result<Asker, Fault> {
    let Some(token) = token else { return Ok(Asker::default()) };
    let hash = token::hash(token);
    if !token::is_account(token) {
        return Ok(Asker { hash: Some(hash), ..Asker::default() });
    }
    match app.accounts.find(&app.store, &hash).await? {
        Some(account) => {
            Ok(Asker { hash: Some(hash), account: Some(account.name), shown: Some(account.shown) })
        }
        None => Err(Fault::new(StatusCode::UNAUTHORIZED, "no account has this token")),
    }
}

/// The address a request came from; without a socket, as in tests, the loopback address.
pub(crate) fn address(extensions: &Extensions) -> String {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::from([127, 0, 0, 1]), |ConnectInfo(address)| address.ip()).to_string()
}

/// The token of `authorization: Bearer TOKEN`.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Fault> {
    let Some(value) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let token = value.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
    let fault = || Fault::new(StatusCode::UNAUTHORIZED, "expected `authorization: Bearer TOKEN`");
    token.map(Some).ok_or_else(fault)
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Fault> {
        let asker = asker(app, bearer(&parts.headers)?).await?;
        if let Some(hash) = &asker.hash {
            app.limits.command(hash)?;
        }
        Ok(Caller { asker, address: address(&parts.extensions) })
    }
}
