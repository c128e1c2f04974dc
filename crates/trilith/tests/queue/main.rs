//! The queue with a real server and real processes: what is left when any of them is killed, stopped or restarted.

#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod access;
mod commands;
mod dashboard;
mod machines;
#[path = "../program/mod.rs"]
mod program;
#[allow(dead_code, reason = "the dashboard needs no games on the server")]
#[path = "../serve/server.rs"]
mod server;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use machines::{Server, contest, games, jobs_done, local, run, timeless};
use program::without_times;
use trilith_queue::{Access, JobBounds, USUAL_LEASE, Worker};

#[test]
fn a_queue_gives_what_one_machine_gives() {
    let server = Server::start("same", &["-js"]);
    let save = server.folder.join("queue.txt");
    let arguments = contest("40", "300", save.to_str().unwrap());
    let workers = [server.worker(), server.worker()];
    let report = timeless(&server.coordinator(&arguments).text());
    assert_eq!((report, games(&save)), local(&server.folder, "40", "300"));
    assert_eq!(server.answers(), 0, "a finished match leaves nothing behind");
    let sprt = [&arguments[..], &["--sprt", "0,300,0.05,0.05"]].concat();
    let decided = timeless(&server.coordinator(&sprt).text());
    let here = timeless(&String::from_utf8(run(&sprt).stdout).unwrap());
    assert_eq!(decided, here);
    assert!(decided["games"].as_u64() < Some(40), "the test ends the match early: {decided}");
    assert!(workers.map(jobs_done).iter().sum::<u64>() >= 40);
}

/// Nobody is refused while another makes the streams that both ask for.
#[test]
fn many_may_come_at_once_to_a_new_server() {
    for _ in 0..5 {
        let server = Server::start("new", &["-js"]);
        let access = Access::new(&server.url(), None, None).unwrap();
        thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| {
                    drop(Worker::connect(&access, "new", USUAL_LEASE, JobBounds::default()).unwrap())
                });
            }
        });
    }
}

#[test]
fn a_killed_workers_job_is_done_by_another() {
    let server = Server::start("kill-worker", &["-js"]);
    let save = server.folder.join("queue.txt");
    let mut coordinator = server.coordinator(&contest("1", "60000", save.to_str().unwrap()));
    let mut first = server.worker();
    server.wait("a job is begun", |server| server.in_work() == 1);
    thread::sleep(Duration::from_millis(200));
    first.kill();
    assert!(coordinator.is_running() && server.answers() == 0, "it was killed in mid-job");
    let second = server.worker();
    let report = timeless(&coordinator.text());
    assert_eq!((report, games(&save)), local(&server.folder, "1", "60000"));
    assert_eq!(server.deliveries(), 2);
    assert_eq!(jobs_done(second), 1);
}

#[test]
fn a_busy_worker_keeps_its_job_and_a_stopped_one_hands_it_back() {
    let server = Server::start("heart", &["-js"]);
    let save = server.folder.join("queue.txt");
    let mut coordinator = server.coordinator(&contest("1", "5000000", save.to_str().unwrap()));
    let workers = [server.worker(), server.worker()];
    server.wait("a job is begun", |server| server.in_work() == 1);
    thread::sleep(Duration::from_millis(2200));
    assert!(coordinator.is_running(), "the game must last longer than two leases");
    assert_eq!(server.deliveries(), 1, "its worker has said that it is at it");
    let [first, second] = workers;
    let (stopped, began) = (jobs_done(first) + jobs_done(second), Instant::now());
    assert_eq!(stopped, 0);
    let third = server.worker();
    server.wait("it is delivered again", |server| server.deliveries() == 2);
    assert!(began.elapsed() < Duration::from_millis(900), "at once, not after the lease");
    coordinator.kill();
    third.signal("-INT");
}

#[test]
fn a_killed_coordinator_resumes_without_losing_or_repeating_a_game() {
    let server = Server::start("kill-coordinator", &["-js"]);
    let save = server.folder.join("queue.txt");
    let arguments = contest("60", "2000", save.to_str().unwrap());
    let worker = server.worker();
    for count in [5, 20] {
        let mut coordinator = server.coordinator(&arguments);
        server.wait("games are played", |server| server.answers() >= count);
        assert!(coordinator.is_running());
        coordinator.kill();
    }
    let report = timeless(&server.coordinator(&arguments).text());
    // Games are added to the file as they are heard of: those that were killed have added some.
    let mut saved = games(&save);
    saved.dedup();
    assert_eq!((report, saved), local(&server.folder, "60", "2000"));
    assert_eq!(jobs_done(worker), 60, "each game once");
}

#[test]
fn a_job_delivered_twice_and_answered_twice_counts_once() {
    let server = Server::start("twice", &["-js"]);
    let save = server.folder.join("queue.txt");
    let coordinator = server.coordinator(&contest("3", "30000", save.to_str().unwrap()));
    let sleeper = server.worker();
    server.wait("a job is begun", |server| server.in_work() == 1);
    sleeper.signal("-STOP");
    let other = server.worker();
    server.wait("the sleeper's job is delivered again", |server| server.deliveries() > 3);
    sleeper.signal("-CONT");
    let report = timeless(&coordinator.text());
    assert_eq!((report, games(&save)), local(&server.folder, "3", "30000"));
    server.wait("the sleeper has answered, too", |server| server.in_work() == 0);
    assert!(server.deliveries() > 3, "at least one job was delivered twice");
    assert!(jobs_done(sleeper) + jobs_done(other) > 3, "and done twice");
}

#[test]
fn two_coordinators_share_their_games() {
    let server = Server::start("two", &["-js"]);
    let saves = ["one.txt", "two.txt"].map(|name| server.folder.join(name));
    let coordinators =
        saves.each_ref().map(|save| server.coordinator(&contest("30", "1000", save.to_str().unwrap())));
    server.wait("jobs are offered", |server| {
        server.stream("trilith-jobs")["state"]["messages"].as_u64() == Some(30)
    });
    let worker = server.worker();
    let reports = coordinators.map(|coordinator| timeless(&coordinator.text()));
    let (report, expected) = local(&server.folder, "30", "1000");
    assert_eq!(reports, [report.clone(), report]);
    assert_eq!(saves.map(|save| games(&save)), [expected.clone(), expected]);
    assert_eq!(jobs_done(worker), 30);
}

#[test]
fn tournaments_and_data_are_the_same_after_kills_of_everything() {
    let mut server = Server::start("all", &["-js"]);
    let plan = server.folder.join("plan.toml");
    fs::write(&plan, PLAN).unwrap();
    let (here, there) = (server.folder.join("here"), server.folder.join("there"));
    let tournament = |out: &Path| {
        ["tournament", plan.to_str().unwrap(), "--out", out.to_str().unwrap()].map(str::to_owned)
    };
    let data = |out: &Path| {
        let out = out.join("x.games");
        let fixed = "data generate --games 200 --random-least 20 --random-most 40 --depth 3 --exact 10 --out";
        fixed.split(' ').map(str::to_owned).chain([out.to_str().unwrap().to_owned()]).collect::<Vec<_>>()
    };
    fs::create_dir_all(&there).unwrap();
    for arguments in [tournament(&here).to_vec(), data(&here)] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert!(run(&arguments).status.success());
    }
    for arguments in [tournament(&there).to_vec(), data(&there)] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut coordinator = server.coordinator(&arguments);
        let mut worker = server.worker();
        server.wait("something is answered", |server| server.answers() >= 2);
        worker.kill();
        coordinator.kill();
        let (deliveries, listeners) = (server.deliveries(), server.listeners());
        let coordinator = server.coordinator(&arguments);
        let _worker = server.worker();
        server.wait("both are at it", |server| {
            server.deliveries() > deliveries && server.listeners() > listeners
        });
        if arguments[0] == "data" {
            server.process.kill();
            server.process = Server::launch(&server.folder, server.port, server.monitor, &["-js"]);
        }
        coordinator.text();
    }
    for name in ["plan.json", "plan.html", "plan.svg", "plan.games.txt", "x.games"] {
        assert!(without_times(&there.join(name)) == without_times(&here.join(name)), "{name}");
    }
}

const PLAN: &str = r#"
name = "by many"
game = "morris"
kind = "round-robin"
games = 10
openings = "random:4"
[pace]
nodes = 1000
[adjudication]
plies = 120
[[players]]
name = "one"
player = "engine"
[[players]]
name = "two"
player = "engine:eval=margin"
[[players]]
name = "lot"
player = "random"
"#;
