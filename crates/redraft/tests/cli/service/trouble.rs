//! A database that is locked or whose disk is full: clear errors, nothing lost.

use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;

use redraft_service::sql::{Database, Location};
use serde_json::{Value, json};

use super::{JUDGE, Service};

fn water() -> Value {
    json!({"document": "# Water\n\nWater boils at 100 °C.\n", "goal": "check"})
}

#[test]
fn requests_wait_for_a_locked_database() {
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work"]);
    let path = service.place.path(".redraft/service/redraft.db");
    let (locked, is_locked) = mpsc::channel();
    let (release, may_release) = mpsc::channel::<()>();
    let holder = std::thread::spawn(move || {
        let may_release = std::sync::Mutex::new(may_release);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let database = Database::open(&Location::Sqlite(path)).await.unwrap();
            let held = database.write(move |sql| {
                sql.run("UPDATE tenants SET created = created", &[])?;
                let _ = locked.send(());
                let _ = may_release.lock().unwrap().recv();
                Ok(())
            });
            held.await.unwrap();
        });
    });
    is_locked.recv().unwrap();
    let address = service.address.clone();
    let posted = std::thread::spawn(move || {
        super::http::call(&address, "POST", "/v1/runs", &[], Some(&water()))
    });
    // Readers are not held up.
    assert_eq!(service.get("/v1/runs").json()["runs"], json!([]));
    release.send(()).unwrap();
    holder.join().unwrap();
    let answer = posted.join().unwrap();
    assert_eq!(answer.status, 201, "{}", answer.text);
}

/// A small file system that ends with the test.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where none may be mounted.
    fn mount(folder: PathBuf) -> Option<Self> {
        std::fs::create_dir_all(&folder).unwrap();
        let disk = Self(folder);
        disk.sized("size=2m").then_some(disk)
    }

    fn sized(&self, options: &str) -> bool {
        let mut command = Command::new("mount");
        command
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(&self.0);
        command.output().is_ok_and(|output| output.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_is_named_and_nothing_that_was_acknowledged_is_lost() {
    let mut service = Service::idle(None, JUDGE);
    let Some(disk) = SmallDisk::mount(service.place.path("small")) else {
        eprintln!("skipped: a small file system cannot be mounted here");
        return;
    };
    service.serve(&["--no-work", "--data", "small", "--rate", "100000"]);
    let mut taken = Vec::new();
    let refused = loop {
        assert!(taken.len() < 5_000, "2 MB hold them all");
        let answer = service.post("/v1/runs", &water());
        match answer.status {
            201 => taken.push(answer.json()["run"].as_str().unwrap().to_owned()),
            _ => break answer,
        }
    };
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(
        refused
            .text
            .contains("the disk of the database is full; tell the operator"),
        "{}",
        refused.text
    );
    assert!(taken.len() > 3, "{}", taken.len());
    // Reading goes on.
    let last = taken.last().unwrap();
    assert_eq!(
        service.get(&format!("/v1/runs/{last}")).json()["state"],
        "queued"
    );
    // Drivers do not give runs up because of it.
    drop(service.server.take());
    service.serve(&["--data", "small"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(disk.sized("remount,size=64m"));
    for run in &taken {
        let info = service.settled(run);
        assert_eq!(info["state"], "done", "{info}");
    }
    assert_eq!(service.post("/v1/runs", &water()).status, 201);
}
