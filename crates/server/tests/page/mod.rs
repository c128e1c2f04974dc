//! A fresh server and a headless Chromium for each test, and what a person does and sees on the page.

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::common::log::LoggingPrefsLogLevel;
use thirtyfour::prelude::*;
use trilith_server::{Config, Server};

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
    fn start() -> Driver {
        let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
        let mut process = started.unwrap_or_else(|error| {
            panic!("chromedriver cannot be started ({error}): apt-get install chromium chromium-driver")
        });
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        Driver { process, port: port.expect("chromedriver says its port") }
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
    address: String,
    folder: PathBuf,
}

/// Runs a test on a fresh server and browser; both end whether it passes or not.
pub async fn with_page<F: Future<Output = ()> + Send + 'static>(
    name: &str,
    test: impl FnOnce(Page) -> F + Send + 'static,
) {
    let server =
        Server::bind(Config { address: ([127, 0, 0, 1], 0).into(), ..Config::default() }).await.unwrap();
    let address = format!("http://{}", server.address());
    let serving = tokio::spawn(server.run(std::future::pending()));
    let folder = std::env::temp_dir().join(format!("trilith-browser-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();

    let chromedriver = Driver::start();
    let mut wishes = DesiredCapabilities::chrome();
    for flag in FLAGS {
        wishes.add_arg(flag).unwrap();
    }
    wishes.add_arg(&format!("--user-data-dir={}", folder.join("profile").display())).unwrap();
    wishes.set_browser_log_level(LoggingPrefsLogLevel::All).unwrap();
    let driver = WebDriver::new(format!("http://127.0.0.1:{}", chromedriver.port), wishes).await.unwrap();

    let page = Page { driver: driver.clone(), address, folder: folder.clone() };
    let used = page.clone();
    let using = tokio::spawn(async move {
        used.driver.goto(&used.address).await.unwrap();
        used.ready().await;
        test(used).await;
    });
    let result = using.await;
    let logged = page.driver.browser_log().await.unwrap_or_default();
    let _ = driver.quit().await;
    serving.abort();
    drop(chromedriver);
    let _ = std::fs::remove_dir_all(&folder);
    if let Err(fault) = result {
        std::panic::resume_unwind(fault.into_panic());
    }
    assert!(logged.is_empty(), "the browser's console is not empty: {logged:#?}");
}

impl Page {
    pub async fn find(&self, css: &str) -> WebElement {
        self.driver.find(By::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub async fn press(&self, css: &str) {
        self.find(css).await.click().await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    pub async fn cell(&self, name: &str) -> WebElement {
        self.find(&format!(".cell[data-name='{name}']")).await
    }

    pub async fn script(&self, script: &str) -> Value {
        self.driver.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// Asks `script` again and again until it says `expected`: the page answers when the server has.
    pub async fn until(&self, script: &str, expected: Value) {
        let start = Instant::now();
        loop {
            let found = self.script(script).await;
            if found == expected {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(5), "{script}\nfound {found}\nexpected {expected}");
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
    }

    /// The page has drawn what the server sent, and is not waiting for more.
    pub async fn ready(&self) {
        let idle =
            "return document.querySelector('.cell') && document.getElementById('board').ariaBusy === 'false'";
        self.until(idle, json!(true)).await;
    }

    /// Clicks on cells and then waits for the list of moves.
    pub async fn play(&self, cells: &[&str], moves: &[&str]) {
        for name in cells {
            self.ready().await;
            self.cell(name).await.click().await.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        self.moves(moves).await;
    }

    pub async fn moves(&self, moves: &[&str]) {
        let shown =
            "return [...document.querySelectorAll('.move')].map((m) => m.textContent).filter(Boolean)";
        self.until(shown, json!(moves)).await;
    }

    pub async fn enter(&self, game: &str) {
        self.press(&format!("[data-game='{game}']")).await;
        let shown = "return document.querySelector('[aria-current]').dataset.game";
        self.until(shown, json!(game)).await;
    }

    /// The names of the cells whose stones are shown with this class: `black`, `white`, `provisional`.
    pub async fn stones(&self, kind: &str, expected: &[&str]) {
        let script = format!(
            "const names = [...document.querySelectorAll('.cell')].map((cell) => cell.dataset.name);
             const stones = document.querySelectorAll('.stone.{kind}:not(.gone)');
             return [...stones].map((stone) => names[stone.dataset.at]).sort()"
        );
        self.until(&script, json!(expected)).await;
    }

    /// The names of the cells that are called this, such as `legal target`.
    pub async fn called(&self, words: &str, expected: &[&str]) {
        let script = format!(
            "return [...document.querySelectorAll('.cell')]
               .filter((cell) => cell.getAttribute('aria-label').includes('{words}'))
               .map((cell) => cell.dataset.name).sort()"
        );
        self.until(&script, json!(expected)).await;
    }

    pub async fn says(&self, words: &str) {
        let script = format!("return document.getElementById('prompt').textContent.includes('{words}')");
        self.until(&script, json!(true)).await;
    }

    pub async fn keys(&self, keys: &[Key]) {
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

    /// A finger on one cell, over to others, and off.
    pub async fn touch(&self, cells: &[&str]) {
        self.ready().await;
        for (number, name) in cells.iter().enumerate() {
            let spot = format!(
                "const {{ x, y, width, height }} =
                   document.querySelector(\".cell[data-name='{name}'] .hit\").getBoundingClientRect();
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

    /// A phone's screen instead of the window.
    pub async fn phone(&self) {
        let screen = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
        self.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", screen).await.unwrap();
        let touch = json!({ "enabled": true });
        self.driver.cdp().send_raw("Emulation.setTouchEmulationEnabled", touch).await.unwrap();
    }
}
