//! Who sends a request: an address, perhaps with a token.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, StatusCode, Version};

use crate::app::App;
use crate::engine::Client;
use crate::fault::Fault;
use crate::origin::{Origins, is_handed_on};
use crate::token::{self, Asker};

/// The sender of a request.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) asker: Asker,
    /// The address, as limits count it.
    pub(crate) address: String,
    /// Whether it sits at the machine itself or has the administrator's key.
    is_administrator: bool,
}

impl Caller {
    /// On whose behalf engines work.
    pub(crate) fn client(&self) -> Client {
        Client::new(&self.address, self.asker.account.as_deref())
    }

    /// Refuses what changes the machine to all but its administrator.
    pub(crate) fn administrator(&self) -> Result<(), Fault> {
        let fault = || {
            Fault::new(
                StatusCode::FORBIDDEN,
                "only for the administrator: expected the key of `trilith admin key` in `x-trilith-admin`",
            )
        };
        self.is_administrator.then_some(()).ok_or_else(fault)
    }

    /// What commands are counted by: the account wherever it comes from, else the seat's token, else the address.
    pub(crate) fn key(&self) -> String {
        self.asker.key().unwrap_or_else(|| self.address.clone())
    }

    /// Refuses what everybody sees to an account that an administrator has muted.
    pub(crate) fn expect_heard(&self) -> Result<(), Fault> {
        let fault =
            || Fault::new(StatusCode::FORBIDDEN, "this account is muted: others do not see what it does");
        (!self.asker.muted).then_some(()).ok_or_else(fault)
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
            let (account, shown, muted) = (Some(account.name), Some(account.shown), account.muted);
            Ok(Asker { hash: Some(hash), account, shown, muted })
        }
        None => Err(Fault::new(StatusCode::UNAUTHORIZED, "no account has this token")),
    }
}

/// The address of the connection; without a socket, as in tests, the loopback address.
fn peer(extensions: &Extensions) -> IpAddr {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::from([127, 0, 0, 1]), |ConnectInfo(address)| address.ip())
}

/// The address a request came from, as limits count it.
pub(crate) fn address(app: &App, extensions: &Extensions, headers: &HeaderMap) -> String {
    Origins::key(app.origins.client(peer(extensions), headers))
}

/// Where the administrator's key stands.
const KEY: &str = "x-trilith-admin";

/// Whether a request is the administrator's. On a server that is open to others only the key tells; on one that listens on
/// loopback alone, under no name and behind no proxy, it is whoever sits at the machine.
fn is_administrator(app: &App, parts: &Parts) -> bool {
    if let Some(key) = parts.headers.get(KEY) {
        return key.to_str().is_ok_and(|key| app.admin.is_key(key));
    }
    app.is_at_home()
        && peer(&parts.extensions).is_loopback()
        && parts.version != Version::HTTP_10
        && !is_handed_on(&parts.headers)
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
        let address = address(app, &parts.extensions, &parts.headers);
        let caller = Caller { asker, address, is_administrator: is_administrator(app, parts) };
        if caller.asker.hash.is_some() {
            app.limits.command(&caller.key())?;
        }
        Ok(caller)
    }
}
