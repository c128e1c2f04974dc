//! What we ship to run the server for others: nginx before it, with TLS, WebSockets and who is counted as whom; the unit for
//! systemd; the image.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::folder;

struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        let _ = self.0.wait();
    }
}

fn nginx() -> Option<&'static Path> {
    ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"]
        .map(Path::new)
        .into_iter()
        .find(|path| path.exists())
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|said| said.status.success())
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn curl(port: u16, arguments: &[&str]) -> String {
    let to = format!("games.example.org:{port}:127.0.0.1");
    let said = Command::new("curl")
        .args(["--silent", "--insecure", "--max-time", "10", "--noproxy", "*", "--resolve", &to])
        .args(arguments)
        .output()
        .unwrap();
    String::from_utf8_lossy(&said.stdout).into_owned()
}

/// A key and a certificate of its own making in `home`.
fn make_certificate(home: &Path) {
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=games.example.org", "-keyout"])
        .arg(home.join("key.pem"))
        .arg("-out")
        .arg(home.join("cert.pem"))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// Our server, and where it listens.
fn start_server(home: &Path) -> (Process, String) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_trilith"))
        .args(["serve", "--address", "127.0.0.1:0", "--tables", "0", "--host", "games.example.org"])
        .args(["--trusted-proxy", "127.0.0.1", "--data"])
        .arg(home.join("data"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    (Process(server), address)
}

/// The shipped configuration with the ports and files of this test.
fn configuration(home: &Path, address: &str, plain: u16, tls: u16) -> String {
    let at = home.display();
    let site = shipped("nginx.conf")
        .replace("127.0.0.1:4680", address)
        .replace("listen 80;", &format!("listen 127.0.0.1:{plain};"))
        .replace("listen 443 ssl", &format!("listen 127.0.0.1:{tls} ssl"))
        .replace("/etc/letsencrypt/live/games.example.org/fullchain.pem", &format!("{at}/cert.pem"))
        .replace("/etc/letsencrypt/live/games.example.org/privkey.pem", &format!("{at}/key.pem"));
    let site: String =
        site.lines().filter(|line| !line.contains("listen [::]")).map(|line| format!("{line}\n")).collect();
    format!(
        "daemon off;\npid {at}/pid;\nerror_log {at}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n\
         client_body_temp_path {at}/body;\nproxy_temp_path {at}/proxy;\nfastcgi_temp_path {at}/f;\nuwsgi_temp_path {at}/u;\n\
         scgi_temp_path {at}/s;\n{site}}}\n"
    )
}

/// nginx, once it answers on the port `tls`.
fn start_proxy(nginx: &Path, home: &Path, tls: u16) -> Process {
    let mut command = Command::new(nginx);
    command.arg("-c").arg(home.join("nginx.conf")).arg("-p").arg(home).stderr(Stdio::null());
    let proxy = Process(command.spawn().unwrap());
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", tls)).is_err() {
        let log = fs::read_to_string(home.join("error.log")).unwrap_or_default();
        assert!(start.elapsed() < Duration::from_secs(20), "nginx does not start: {log}");
        thread::sleep(Duration::from_millis(50));
    }
    proxy
}

/// What a browser sends to begin a WebSocket.
const UPGRADE: [&str; 13] = [
    "--http1.1",
    "-H",
    "connection: upgrade",
    "-H",
    "upgrade: websocket",
    "-H",
    "sec-websocket-version: 13",
    "-H",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
    "-H",
    "origin: https://games.example.org",
    "--max-time",
    "2",
];

#[test]
fn the_shipped_configuration_of_nginx_works() {
    let Some(nginx) = nginx().filter(|_| has("curl") && has("openssl")) else {
        eprintln!("skipped: nginx, curl or openssl is not installed");
        return;
    };
    let home = folder("proxy");
    let (plain, tls) = (free_port(), free_port());
    make_certificate(&home);
    let (_server, address) = start_server(&home);
    fs::write(home.join("nginx.conf"), configuration(&home, &address, plain, tls)).unwrap();
    let _proxy = start_proxy(nginx, &home, tls);
    let url = |path: &str| format!("https://games.example.org:{tls}{path}");
    let status = ["-o", "/dev/null", "-w", "%{http_code}"];
    assert_eq!(curl(tls, &[&url("/health")]), "ok");
    assert_eq!(curl(tls, &[&status[..], &[&url("/metrics")]].concat()), "404");
    assert!(curl(tls, &[&url("/")]).contains("<html"));
    let moved = curl(plain, &[&status[..], &[&format!("http://games.example.org:{plain}/x")]].concat());
    assert_eq!(moved, "308");
    let json = ["-H", "content-type: application/json", "-d"];
    let table = curl(tls, &[&json[..], &["{\"game\":\"othello\"}", &url("/api/tables")]].concat());
    assert!(table.contains("\"token\""), "{table}");
    // Nobody becomes the administrator by coming through the proxy, whatever he says of himself.
    for header in ["x-forwarded-for: 127.0.0.1", "x-real-ip: 127.0.0.1", "x-trilith-admin: k_"] {
        let run =
            ["-H", header, "-H", "content-type: application/json", "-d", "{\"name\":\"x\",\"config\":\"\"}"];
        assert_eq!(curl(tls, &[&status[..], &run, &[&url("/api/learn/runs")]].concat()), "403", "{header}");
    }
    // A WebSocket comes through, with the page's own origin.
    let answer = curl(tls, &[&status[..], &UPGRADE, &[&url("/api/lobby/live")]].concat());
    assert_eq!(answer, "101");
}

fn shipped(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name)).unwrap()
}

#[test]
fn the_shipped_unit_of_systemd_is_valid() {
    if !has("systemd-analyze") {
        eprintln!("skipped: systemd-analyze is not installed");
        return;
    }
    let unit = folder("unit").join("trilith.service");
    let program = env!("CARGO_BIN_EXE_trilith");
    fs::write(&unit, shipped("trilith.service").replace("/usr/local/bin/trilith", program)).unwrap();
    let said = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&unit).output().unwrap();
    let complaint = String::from_utf8_lossy(&said.stderr).into_owned();
    // Other units of the machine may have faults of their own.
    let own: Vec<&str> = complaint.lines().filter(|line| line.contains("trilith.service")).collect();
    assert!(own.is_empty(), "{complaint}");
    starts_with_options(&unit, "ExecStart=");
}

/// There is no Docker where tests run: that the image is built for this compiler and starts what exists is all that is tested.
#[test]
fn the_image_is_built_by_this_compiler_and_starts_what_exists() {
    let manifest =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml")).unwrap();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
    let image = shipped("Dockerfile");
    assert!(image.contains(&format!("FROM rust:{}-", version.trim_matches('"'))), "{version}");
    let file = folder("image").join("Dockerfile");
    fs::write(&file, image.replace(['[', ']', ',', '"'], " ")).unwrap();
    starts_with_options(&file, "ENTRYPOINT");
    starts_with_options(&file, "HEALTHCHECK");
}

/// Every option on the line that begins like this is one of the program's.
fn starts_with_options(file: &Path, start: &str) {
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find(|line| line.starts_with(start)).unwrap();
    let words: Vec<&str> = line.split_whitespace().skip_while(|word| !word.ends_with("trilith")).collect();
    let help = Command::new(env!("CARGO_BIN_EXE_trilith")).args([words[1], "--help"]).output().unwrap();
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let options: Vec<&&str> = words.iter().filter(|word| word.starts_with("--")).collect();
    assert!(!options.is_empty());
    for option in options {
        assert!(help.contains(*option), "{option} of {line}");
    }
}
