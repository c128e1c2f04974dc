//! What the two threads promise, on SQLite in memory.

use super::*;

fn account(name: &str) -> Write {
    Write::Account {
        name: name.into(),
        shown: name.into(),
        token: format!("t{name}"),
        bot: false,
        created: 1,
    }
}

#[tokio::test]
async fn a_list_of_writes_is_done_as_a_whole_or_not_at_all() {
    let store = Store::open(&StorePlace::Memory).unwrap();
    store.write(vec![account("anna")]).await.unwrap();
    let spoilt = store.write(vec![account("bert"), account("anna")]).await;
    assert_eq!(spoilt, Err(StoreError::Taken));
    assert_eq!(store.read(|db| reads::account(db, "bert")).await, Ok(None));
    assert!(store.read(|db| reads::account(db, "anna")).await.unwrap().is_some());
}

#[tokio::test]
async fn one_fault_in_a_group_is_only_ones_own() {
    let store = Store::open(&StorePlace::Memory).unwrap();
    // Held up by a slow read, so that all of them wait and become one group.
    let slow = store.read(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        Ok(())
    });
    let names = ["a1", "b1", "a1", "c1"];
    let writes = futures_util::future::join_all(names.map(|name| store.write(vec![account(name)])));
    let (_, written) = tokio::join!(slow, writes);
    assert_eq!(written, [Ok(()), Ok(()), Err(StoreError::Taken), Ok(())]);
}

#[tokio::test]
async fn no_event_is_written_twice_or_after_a_gap() {
    let store = Store::open(&StorePlace::Memory).unwrap();
    let row = TableRow {
        id: "t".into(),
        game: "othello".into(),
        setup: "{}".into(),
        created: 5,
        listed: false,
        accounts: [None, None],
        names: [String::new(), String::new()],
        has_clock: true,
        rated: false,
    };
    let event = |seq| Write::Event { table: "t".into(), seq, at: 7, body: format!("e{seq}"), plies: seq };
    store.write(vec![Write::Open(row)]).await.unwrap();
    store.write(vec![event(1), event(2)]).await.unwrap();
    assert!(store.write(vec![event(2)]).await.is_err());
    assert!(store.write(vec![event(4)]).await.is_err(), "a gap");
    let gap = "INSERT INTO events (table_id, seq, before, at, body) VALUES ('t', 5, 4, 0, '')";
    let forced = store.read(move |db| {
        Ok([gap, &gap.replace("4,", "2,"), &gap.replace("4,", "NULL,")].map(|sql| db.script(sql).is_err()))
    });
    assert_eq!(forced.await, Ok([true; 3]), "the database itself refuses it");
    let kept = store.read(|db| reads::table(db, "t")).await.unwrap().unwrap();
    assert_eq!(kept.events, [(1, 7, "e1".into()), (2, 7, "e2".into())]);
    assert_eq!(store.read(reads::clocks).await.unwrap(), ["t"]);
}

#[test]
fn a_newer_database_is_refused() {
    let mut database = StorePlace::Memory.open().unwrap();
    migrations::migrate(&mut *database).unwrap();
    migrations::migrate(&mut *database).unwrap();
    database.script("INSERT INTO migrations (version) VALUES (999)").unwrap();
    let error = migrations::migrate(&mut *database).unwrap_err();
    assert!(matches!(error, StoreError::Newer { version: 999, .. }));
}
