//! `trilith admin`: the key of a server, its accounts and its tables.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;
use trilith_base::files;
use trilith_server::{Administration, Config, StoreError, new_key};

/// Look after a server: its key, accounts and tables, also while it runs
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    trilith admin key\n  \
    trilith admin accounts --json\n  \
    trilith admin mute some-account\n  \
    trilith admin remove-account some-account\n  \
    trilith admin tables --limit 20\n  \
    trilith admin export everything.jsonl")]
pub struct Args {
    /// Where the web app keeps its games [default: $TRILITH_HOME, or the usual place for a program's data]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// A PostgreSQL database instead of the embedded one
    #[arg(long, value_name = "URL", env = "TRILITH_DATABASE_URL", hide_env_values = true, global = true)]
    database_url: Option<String>,
    #[command(subcommand)]
    order: Order,
}

#[derive(Subcommand)]
enum Order {
    /// Make a new administrator's key and print it; the one before is good for nothing any more
    Key,
    /// List accounts
    Accounts {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Hide from others what an account does: no challenges, no public games
    Mute {
        /// The account
        name: String,
    },
    /// Let an account be seen again
    Unmute {
        /// The account
        name: String,
    },
    /// Remove an account with its ratings and challenges; its games stay without its name
    RemoveAccount {
        /// The account
        name: String,
    },
    /// List tables, the newest first
    Tables {
        /// At most so many
        #[arg(long, default_value_t = 100)]
        limit: u64,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a table with its game
    RemoveTable {
        /// Its name, as in its address
        id: String,
    },
    /// Write all accounts, ratings and games to a file, a line of JSON each, without anything secret
    Export {
        /// The file, or `-` for the standard output
        file: PathBuf,
    },
}

/// Does one thing.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let data = args.data.clone().unwrap_or_else(files::home);
    if let Order::Key = args.order {
        let key = new_key(&data).with_context(|| data.display().to_string())?;
        println!("{key}");
        eprintln!("send it as `x-trilith-admin: KEY`; it is shown this once, and counts from now on");
        return Ok(());
    }
    let config = Config { data: Some(data), database_url: args.database_url.clone(), ..Config::default() };
    let mut server = Administration::open(&config.place())?;
    let known = |done: Result<(), StoreError>, what: &str| match done {
        Err(StoreError::Taken) => bail!("there is no {what}"),
        done => Ok(done?),
    };
    match &args.order {
        Order::Key => {}
        Order::Accounts { json } => {
            for account in server.accounts()? {
                let marks = [(account.bot, " bot"), (account.muted, " muted")];
                let marks: String = marks.iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| *mark).collect();
                match json {
                    true => println!("{}", serde_json::to_string(&account)?),
                    false => println!("{:<20} {:>6} rated games{marks}", account.shown, account.rated_games),
                }
            }
        }
        Order::Mute { name } => known(server.mute(name, true), &format!("account `{name}`"))?,
        Order::Unmute { name } => known(server.mute(name, false), &format!("account `{name}`"))?,
        Order::RemoveAccount { name } => known(server.remove_account(name), &format!("account `{name}`"))?,
        Order::Tables { limit, json } => {
            for table in server.tables(*limit)? {
                let [black, white] = &table.players;
                let end = table.reason.as_deref().unwrap_or("goes on");
                match json {
                    true => println!("{}", serde_json::to_string(&table)?),
                    false => println!(
                        "{} {:<8} {:>4} plies  {black} - {white}  {end}",
                        table.id, table.game, table.plies
                    ),
                }
            }
        }
        Order::RemoveTable { id } => known(server.remove_table(id), &format!("table `{id}`"))?,
        Order::Export { file } => {
            let count = match file.as_os_str() == "-" {
                true => server.export(&mut io::stdout().lock())?,
                false => {
                    let mut out =
                        BufWriter::new(File::create(file).with_context(|| file.display().to_string())?);
                    let count = server.export(&mut out)?;
                    out.flush().with_context(|| file.display().to_string())?;
                    count
                }
            };
            eprintln!("{count} lines");
        }
    }
    Ok(())
}
