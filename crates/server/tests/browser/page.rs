//! A fresh server and headless Chromium for each test, and what a person does and sees on the page.

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::common::log::LoggingPrefsLogLevel;
use thirtyfour::prelude::*;
use tokio::sync::Notify;
use trilith_server::{Config, Server};

/// How long something may take that a person waits for.
const PATIENCE: Duration = Duration::from_secs(60);

const FLAGS: [&str; 10] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--lang=en",
    "--window-size=1280,860",
];

/// A chromedriver on a port of its own; ends with the test.
struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    /// Tries again where the port that the system gave is taken for the other kind of address.
    fn start() -> Driver {
        (0..10).find_map(|_| Driver::tried()).expect("chromedriver says its port")
    }

    fn tried() -> Option<Driver> {
        let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
        let mut process = started.unwrap_or_else(|error| {
            panic!("chromedriver cannot be started ({error}): apt-get install chromium chromium-driver")
        });
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let driver = Driver { process, port: port.unwrap_or_default() };
        (driver.port > 0).then_some(driver)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A page that a test uses; cheap to clone.
#[derive(Clone)]
pub struct Page {
    pub driver: WebDriver,
    pub address: String,
    folder: PathBuf,
    /// Ends the server before the test.
    stop: Arc<Notify>,
}

/// Runs a test on a fresh server and browser; both end whether it passes or not.
pub async fn with_page<F: Future<Output = ()> + Send + 'static>(
    name: &str,
    test: impl FnOnce(Page) -> F + Send + 'static,
) {
    run::<1, F>(name, config(), |[page]| test(page)).await;
}

/// The same on a server that keeps what is learned.
pub async fn with_data<F: Future<Output = ()> + Send + 'static>(
    name: &str,
    test: impl FnOnce(Page) -> F + Send + 'static,
) {
    let data = data_folder(name);
    std::fs::create_dir_all(&data).unwrap();
    run::<1, F>(name, Config { data: Some(data.clone()), ..config() }, |[page]| test(page)).await;
    std::fs::remove_dir_all(data).unwrap();
}

/// Where the server of such a test keeps it.
pub fn data_folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("trilith-browser-data-{name}-{}", std::process::id()))
}

/// The same with two people, each with a browser of their own.
pub async fn with_two<F: Future<Output = ()> + Send + 'static>(
    name: &str,
    test: impl FnOnce(Page, Page) -> F + Send + 'static,
) {
    run::<2, F>(name, config(), |[one, two]| test(one, two)).await;
}

async fn run<const N: usize, F: Future<Output = ()> + Send + 'static>(
    name: &str,
    config: Config,
    test: impl FnOnce([Page; N]) -> F + Send + 'static,
) {
    let folder = std::env::temp_dir().join(format!("trilith-browser-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let server = Server::bind(config).await.unwrap();
    let address = format!("http://{}", server.address());
    let stop = Arc::new(Notify::new());
    let told = Arc::clone(&stop);
    let serving = tokio::spawn(server.run(async move { told.notified().await }));
    let chromedriver = Driver::start();
    let mut pages = Vec::new();
    for number in 0..N {
        let folder = folder.join(number.to_string());
        pages.push(Page::open(&chromedriver, address.clone(), folder, Arc::clone(&stop)).await);
    }
    let used: [Page; N] = pages.clone().try_into().unwrap_or_else(|_| unreachable!());
    let result = tokio::spawn(test(used)).await;
    let mut logged = Vec::new();
    for page in pages {
        logged.extend(page.driver.browser_log().await.unwrap_or_default());
        let _ = page.driver.quit().await;
    }
    serving.abort();
    drop(chromedriver);
    let _ = std::fs::remove_dir_all(&folder);
    if let Err(fault) = result {
        std::panic::resume_unwind(fault.into_panic());
    }
    assert!(logged.is_empty(), "the browser's console is not empty: {logged:#?}");
}

/// Any free port, nothing kept.
fn config() -> Config {
    Config { address: ([127, 0, 0, 1], 0).into(), ..Config::default() }
}

/// Remembers the page's sockets, so that a test can cut them as a bad network would.
const SOCKETS: &str = "window.sockets = [];
    window.RealSocket = window.WebSocket;
    window.WebSocket = class extends RealSocket {
        constructor(...how) { super(...how); sockets.push(this); }
    };";

/// How often a press is tried on what is being drawn anew.
const PRESSES: usize = 5;

impl Page {
    async fn open(chromedriver: &Driver, address: String, folder: PathBuf, stop: Arc<Notify>) -> Page {
        std::fs::create_dir_all(&folder).unwrap();
        let mut wishes = DesiredCapabilities::chrome();
        for flag in FLAGS {
            wishes.add_arg(flag).unwrap();
        }
        wishes.add_arg(&format!("--user-data-dir={}", folder.join("profile").display())).unwrap();
        wishes.set_browser_log_level(LoggingPrefsLogLevel::All).unwrap();
        let driver = WebDriver::new(format!("http://127.0.0.1:{}", chromedriver.port), wishes).await.unwrap();
        let page = Page { driver, address, folder, stop };
        let script = json!({ "source": SOCKETS });
        page.driver.cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", script).await.unwrap();
        page.driver.goto(&page.address).await.unwrap();
        page.until("return document.querySelectorAll('.tile').length", json!(trilith_arena::GAMES.len()))
            .await;
        page
    }

    /// Opens a table as `POST /api/tables` takes it and sits down there.
    pub async fn table(&self, wish: Value) -> String {
        let script = format!(
            "return fetch('/api/tables', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }},
               body: JSON.stringify({wish}) }}).then((answer) => answer.json())
               .then((table) => import('/assets/keep.js').then(({{ own }}) => {{
                 own(table);
                 location.hash = `#play/${{table.id}}`;
                 return table.id;
               }}))"
        );
        let id = self.script(&script).await.as_str().unwrap().to_owned();
        self.sits_at(&id).await;
        id
    }

    /// The table with this id is shown.
    pub async fn sits_at(&self, id: &str) {
        self.until("return document.querySelector('.table')?.dataset.id", json!(id)).await;
        self.ready().await;
    }

    /// The id of the table in the address.
    pub async fn table_id(&self) -> String {
        let id = "return location.hash.startsWith('#play/') ? location.hash.slice(6) : null";
        let start = Instant::now();
        loop {
            if let Value::String(id) = self.script(id).await {
                self.sits_at(&id).await;
                return id;
            }
            assert!(start.elapsed() < PATIENCE, "no table has been opened");
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
    }

    /// Goes to another part of the page, such as `#arena`.
    pub async fn go(&self, hash: &str) {
        self.script(&format!("location.hash = '{hash}'")).await;
    }

    /// Gives a command at the table that is shown, with this page's token but not through its buttons.
    pub async fn elsewhere(&self, what: &str, body: Value) {
        let script = format!(
            "const id = document.querySelector('.table').dataset.id;
             return import('/assets/keep.js').then(({{ seats }}) => fetch(`/api/tables/${{id}}/{what}`, {{ method: 'POST',
               headers: {{ 'content-type': 'application/json', authorization: `Bearer ${{Object.values(seats(id))[0]}}` }},
               body: JSON.stringify({body}) }})).then((answer) => answer.status)"
        );
        assert_eq!(self.script(&script).await, json!(200), "{what}");
    }

    /// Cuts the page's sockets, and lets no new ones through until `reconnect`.
    pub async fn cut_off(&self) {
        self.script(
            "window.WebSocket = class {
               static OPEN = 1;
               constructor() { setTimeout(() => this.onclose?.(), 5); }
               close() {}
             };
             for (const socket of sockets.splice(0)) socket.close();",
        )
        .await;
        self.until("return document.getElementById('lost').hidden", json!(false)).await;
    }

    pub async fn reconnect(&self) {
        self.script("window.WebSocket = RealSocket; window.dispatchEvent(new Event('online'))").await;
        self.until("return document.getElementById('lost').hidden", json!(true)).await;
    }

    /// Writes into a field as a person would, over what stands there.
    pub async fn write(&self, css: &str, words: &str) {
        let field = self.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(words).await.unwrap();
    }

    /// Chooses an entry of a list.
    pub async fn choose(&self, css: &str, value: &str) {
        self.press(&format!("{css} option[value='{value}']")).await;
    }

    /// Some element's text holds these words.
    pub async fn shows(&self, css: &str, words: &str) {
        let script = format!(
            "return [...document.querySelectorAll({})].some((one) => one.textContent.includes({}))",
            json!(css),
            json!(words)
        );
        self.until(&script, json!(true)).await;
    }

    pub async fn find(&self, css: &str) -> WebElement {
        self.driver.find(By::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub async fn press(&self, css: &str) {
        // What is drawn anew in between is looked for again.
        for _ in 0..PRESSES {
            match self.find(css).await.click().await {
                Err(error) if error.to_string().contains("stale") => continue,
                done => return done.unwrap_or_else(|error| panic!("{css}: {error}")),
            }
        }
        panic!("{css}: drawn anew all the time");
    }

    /// Presses what is about to appear.
    pub async fn press_soon(&self, css: &str) {
        self.until(&format!("return Boolean(document.querySelector({}))", json!(css)), json!(true)).await;
        self.press(css).await;
    }

    pub async fn cell(&self, name: &str) -> WebElement {
        self.find(&format!("#board .cell[data-name='{name}']")).await
    }

    pub async fn script(&self, script: &str) -> Value {
        self.driver.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// Asks `script` again and again until it says `expected`: the page answers when the server has.
    pub async fn until(&self, script: &str, expected: Value) {
        let start = Instant::now();
        let mut pause = Duration::from_millis(5);
        loop {
            // What the script looks for may not be there yet.
            let found = self.driver.execute(script, vec![]).await;
            let found = found.map_or_else(|error| json!(error.to_string()), |found| found.json().clone());
            if found == expected {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{script}\nfound {found}\nexpected {expected}");
            tokio::time::sleep(pause).await;
            // Asking keeps browser and driver from their work.
            pause = (pause * 3 / 2).min(Duration::from_millis(60));
        }
    }

    /// The page has drawn what the server sent, and is not waiting for more.
    pub async fn ready(&self) {
        let idle = "return document.querySelector('#board .cell') && document.getElementById('board').ariaBusy === 'false'";
        self.until(idle, json!(true)).await;
    }

    /// Clicks on cells and then waits for the list of moves.
    pub async fn play(&self, cells: &[&str], moves: &[&str]) {
        for name in cells {
            self.click(name).await;
        }
        self.moves(moves).await;
    }

    pub async fn click(&self, cell: &str) {
        self.ready().await;
        self.cell(cell).await.click().await.unwrap_or_else(|error| panic!("{cell}: {error}"));
    }

    pub async fn moves(&self, moves: &[&str]) {
        let shown =
            "return [...document.querySelectorAll('.move')].map((m) => m.textContent).filter(Boolean)";
        self.until(shown, json!(moves)).await;
    }

    /// The names of the cells whose stones are shown with this class: `black`, `white`, `provisional`.
    pub async fn stones(&self, kind: &str, expected: &[&str]) {
        let script = format!(
            "const names = [...document.querySelectorAll('#board .cell')].map((cell) => cell.dataset.name);
             const stones = document.querySelectorAll('#board .stone.{kind}:not(.gone)');
             return [...stones].map((stone) => names[stone.dataset.at]).sort()"
        );
        self.until(&script, json!(expected)).await;
    }

    /// The names of the cells that are called this, such as `legal target`.
    pub async fn called(&self, words: &str, expected: &[&str]) {
        let script = format!(
            "return [...document.querySelectorAll('#board .cell')]
               .filter((cell) => cell.getAttribute('aria-label').includes('{words}'))
               .map((cell) => cell.dataset.name).sort()"
        );
        self.until(&script, json!(expected)).await;
    }

    pub async fn says(&self, words: &str) {
        self.shows("#prompt", words).await;
    }

    pub async fn keys(&self, keys: &[impl Into<char> + Clone]) {
        let chain = keys
            .iter()
            .fold(self.driver.action_chain(), |chain, key| chain.key_down(key.clone()).key_up(key.clone()));
        chain.perform().await.unwrap();
    }

    pub async fn drag(&self, from: &str, to: &str) {
        let (from, to) = (self.cell(from).await, self.cell(to).await);
        let chain = self.driver.action_chain();
        chain.drag_and_drop_element(&from, &to).perform().await.unwrap();
    }

    /// Gives a game text to the file button.
    pub async fn load(&self, text: &str) {
        let file = self.folder.join("game.txt");
        std::fs::write(&file, text).unwrap();
        self.find("#file").await.send_keys(file.to_str().unwrap()).await.unwrap();
    }

    /// The console so far holds one line, about an answer that the test provoked.
    pub async fn only_logged(&self, status: &str) {
        let logged = self.driver.browser_log().await.unwrap();
        assert!(logged.len() == 1 && logged[0].message.contains(status), "{logged:#?}");
    }

    /// Ends the server, and waits until nobody answers.
    pub async fn stop_server(&self) {
        self.stop.notify_one();
        let gone = "return fetch('/health', { cache: 'no-store' }).then(() => false, () => true)";
        self.until(gone, json!(true)).await;
    }

    /// All that the console holds so far is about this, which the test provoked.
    pub async fn forget_log(&self, about: &str) {
        let logged = self.driver.browser_log().await.unwrap();
        assert!(logged.iter().all(|line| line.message.contains(about)), "{logged:#?}");
    }

    /// A finger on one cell, over to others, and off.
    pub async fn touch(&self, cells: &[&str]) {
        self.ready().await;
        for (number, name) in cells.iter().enumerate() {
            let spot = format!(
                "const {{ x, y, width, height }} =
                   document.querySelector(\"#board .cell[data-name='{name}'] .hit\").getBoundingClientRect();
                 return {{ x: x + width / 2, y: y + height / 2 }}"
            );
            let kind = if number == 0 { "touchStart" } else { "touchMove" };
            self.finger(kind, vec![self.script(&spot).await]).await;
        }
        self.finger("touchEnd", vec![]).await;
    }

    pub async fn finger(&self, kind: &str, points: Vec<Value>) {
        let event = json!({ "type": kind, "touchPoints": points });
        self.driver.cdp().send_raw("Input.dispatchTouchEvent", event).await.unwrap();
    }

    /// A screen of this size instead of the window; a small one is a phone's.
    pub async fn screen(&self, width: u32, height: u32) {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width.min(height) < 600 });
        self.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", screen).await.unwrap();
    }

    /// A phone's screen, and fingers.
    pub async fn phone(&self) {
        self.screen(390, 844).await;
        let touch = json!({ "enabled": true });
        self.driver.cdp().send_raw("Emulation.setTouchEmulationEnabled", touch).await.unwrap();
    }
}
