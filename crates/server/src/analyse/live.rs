//! Live analysis over a WebSocket: one position at a time for each connection, several lines, deeper and deeper.
//!
//! `{"do":"analyse", game, rules?, start?, moves, lines?, eval?, depth?, time_ms?, nr?}` is answered with
//! `{"event":"view"}`, then `{"event":"analysis"}` again and again until `"final"` is true. A new question, `{"do":"stop"}` or
//! the end of the connection stops the engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use trilith_search::{Control, Limits};

use super::analyst::{AnalystChoice, Findings, Talk};
use super::question::{self, Question, aside};
use crate::app::App;
use crate::caller::{self, Caller};
use crate::engine::{Class, Client, Ticket};
use crate::fault::Fault;
use crate::socket::{self, Incoming, Socket, Upgrade};

/// How long an analysis goes on if nobody says.
const USUAL: Duration = Duration::from_secs(30);
/// No more than so many lines, and so many plies.
const LINES: std::ops::RangeInclusive<usize> = 1..=5;
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=100;
/// Findings that come faster than this are left out.
const PAUSE: Duration = Duration::from_millis(60);

/// `GET /api/analyse/live`.
pub(crate) async fn live(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Fault> {
    let (client, asker) = (caller.client(), caller.clone());
    let name = format!("live {}", app.number());
    let talk = Talk { analysts: app.desk.analysts.clone(), name, client: client.clone() };
    let place = Arc::clone(&app);
    socket::begin(app, upgrade, &headers, &caller, move |socket| {
        Session { app: place, caller: asker, client, talk, work: None }.serve(socket)
    })
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum LiveRequest {
    Analyse(Box<LiveQuestion>),
    Stop,
    Ping,
}

#[derive(Deserialize)]
struct LiveQuestion {
    #[serde(flatten)]
    question: Question,
    lines: Option<usize>,
    eval: Option<String>,
    depth: Option<u32>,
    time_ms: Option<u64>,
}

impl LiveQuestion {
    fn limits(&self, most: Duration) -> Result<Limits, Fault> {
        if self.depth.is_some_and(|depth| !DEPTHS.contains(&depth)) {
            return Err(Fault::bad_request("depth: expected 1 to 100"));
        }
        if self.lines.is_some_and(|lines| !LINES.contains(&lines)) {
            return Err(Fault::bad_request("lines: expected 1 to 5"));
        }
        let time = self.time_ms.map_or(USUAL, Duration::from_millis).clamp(Duration::from_millis(10), most);
        Ok(Limits { depth: self.depth, time: Some(time), ..Limits::default() })
    }
}

#[derive(Serialize)]
struct Event<'a> {
    event: &'static str,
    nr: &'a Option<Value>,
    #[serde(flatten)]
    findings: &'a Findings,
    #[serde(rename = "final")]
    is_final: bool,
}

type News = Result<(Findings, bool), String>;

/// An analysis under way.
struct Work {
    nr: Option<Value>,
    news: UnboundedReceiver<News>,
    _ticket: Ticket,
}

struct Session {
    app: Arc<App>,
    caller: Caller,
    client: Client,
    talk: Talk,
    work: Option<Work>,
}

/// The next news of the work, for ever nothing without one.
async fn next(work: &mut Option<Work>) -> Option<News> {
    match work {
        Some(work) => work.news.recv().await,
        None => std::future::pending().await,
    }
}

impl Session {
    async fn serve(mut self, mut socket: Socket) {
        loop {
            let goes_on = tokio::select! {
                news = next(&mut self.work) => self.tell(&mut socket, news).await,
                heard = socket.hear() => match heard {
                    Incoming::Gone => false,
                    Incoming::Wrong(error) => socket.refuse(&error, None).await,
                    Incoming::Text(text) => self.obey(&mut socket, &text).await,
                },
            };
            if !goes_on {
                return;
            }
        }
    }

    async fn tell(&mut self, socket: &mut Socket, news: Option<News>) -> bool {
        let Some(work) = &self.work else { return true };
        let nr = &work.nr;
        match news {
            Some(Ok((findings, is_final))) => {
                let said = socket.say(&Event { event: "analysis", nr, findings: &findings, is_final }).await;
                if is_final {
                    self.work = None;
                }
                said
            }
            Some(Err(error)) => {
                let nr = nr.clone();
                self.work = None;
                socket.refuse(&error, nr).await
            }
            None => {
                let nr = nr.clone();
                self.work = None;
                socket.refuse("the engine broke down", nr).await
            }
        }
    }

    async fn obey(&mut self, socket: &mut Socket, text: &str) -> bool {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return socket.refuse(&format!("expected JSON: {error}"), None).await,
        };
        let nr = value.get("nr").cloned();
        // Who asks matters where a rated game goes on.
        if let (Some(token), None) = (value.get("token").and_then(Value::as_str), value.get("do")) {
            return match caller::asker(&self.app, Some(token)).await {
                Ok(asker) => {
                    self.caller.asker = asker;
                    true
                }
                Err(fault) => socket.refuse(fault.message(), nr).await,
            };
        }
        match serde_json::from_value::<LiveRequest>(value) {
            Err(error) => socket.refuse(&format!("expected analyse, stop or ping: {error}"), nr).await,
            Ok(LiveRequest::Ping) => socket.say(&json!({ "event": "ok", "for": nr })).await,
            Ok(LiveRequest::Stop) => {
                self.work = None;
                socket.say(&json!({ "event": "stopped", "for": nr })).await
            }
            Ok(LiveRequest::Analyse(ask)) => {
                self.work = None;
                match self.begin(socket, *ask, nr.clone()).await {
                    Ok(goes_on) => goes_on,
                    Err(fault) => socket.refuse(fault.message(), nr).await,
                }
            }
        }
    }

    async fn begin(
        &mut self,
        socket: &mut Socket,
        ask: LiveQuestion,
        nr: Option<Value>,
    ) -> Result<bool, Fault> {
        let limits = ask.limits(self.app.config.engine_time)?;
        let situation = ask.question.situation()?;
        let (app, lines, eval) = (Arc::clone(&self.app), ask.lines.unwrap_or(1), ask.eval);
        let caller = self.caller.clone();
        let (situation, view, choice) = aside(move || {
            let view = question::table(&situation)?.view();
            app.rated.check(&caller, &situation)?;
            let choice = AnalystChoice::new(&app, &situation.game, lines, eval.as_deref())?;
            Ok((situation, view, choice))
        })
        .await?;
        let has_ended = view.end.is_some();
        let goes_on = socket.say(&json!({ "event": "view", "nr": nr, "view": view })).await;
        if has_ended || !goes_on {
            return Ok(goes_on);
        }
        let (sender, news) = unbounded_channel();
        let talk = self.talk.clone();
        let cap = limits.time.unwrap_or(USUAL) + Duration::from_millis(200);
        let work = move |control: &Control| {
            let mut told = Instant::now();
            let found = talk.analyse(&choice, &situation, limits, control, &mut |findings| {
                if told.elapsed() >= PAUSE {
                    told = Instant::now();
                    drop(sender.send(Ok((findings, false))));
                }
            });
            drop(sender.send(found.map(|findings| (findings, true))));
        };
        let ticket = self.app.pool.submit(&self.client, Class::Analysis, cap, work);
        self.work = Some(Work { nr, news, _ticket: ticket });
        Ok(true)
    }
}
