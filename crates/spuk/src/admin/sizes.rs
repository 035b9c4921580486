//! `spuk admin sizes`.

use super::{Common, readable};
use crate::{Failure, exit};
use serde_json::{Value, json};
use service::store::{RetentionRule, Sizes, TableSize, sqlite_file};
use std::fmt::Write;
use std::fs;

pub(super) async fn run(common: &Common) -> Result<u8, Failure> {
    let store = common.open().await?;
    let failed = |error: service::store::StoreError| error.to_string();
    let sizes = store.sizes().await.map_err(failed)?;
    let mut expired = Vec::new();
    for rule in RetentionRule::ALL {
        expired.push((rule, store.count_expired(rule).await.map_err(failed)?));
    }
    let log = log_bytes(&common.database.url()?);
    common.print(&record(&sizes, log, &expired), &text(&sizes, log, &expired))?;
    store.close().await;
    Ok(exit::YES)
}

/// The bytes of SQLite's log of writes.
fn log_bytes(url: &str) -> Option<u64> {
    let mut name = sqlite_file(url)?.into_os_string();
    name.push("-wal");
    Some(fs::metadata(name).map_or(0, |data| data.len()))
}

fn record(sizes: &Sizes, log: Option<u64>, expired: &[(RetentionRule, i64)]) -> Value {
    let table = |table: &TableSize| {
        json!({
            "name": table.name, "rows": table.rows, "bytes": table.bytes,
            "oldest": table.ages.map(|ages| ages.0), "newest": table.ages.map(|ages| ages.1),
        })
    };
    json!({
        "v": 1, "database": sizes.kind, "bytes": sizes.bytes, "wal_bytes": log,
        "tables": sizes.tables.iter().map(table).collect::<Vec<_>>(),
        "retention": expired.iter().map(super::prune::record).collect::<Vec<_>>(),
    })
}

fn text(sizes: &Sizes, log: Option<u64>, expired: &[(RetentionRule, i64)]) -> String {
    let mut text =
        format!("{:<16} {:>10} {:>10}  {:<10}  newest\n", "table", "rows", "size", "oldest");
    for TableSize { name, rows, bytes, ages } in &sizes.tables {
        let day = |time: Option<i64>| time.map_or_else(|| "-".into(), day);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{name:<16} {rows:>10} {:>10}  {:<10}  {}",
            readable(*bytes),
            day(ages.map(|ages| ages.0)),
            day(ages.map(|ages| ages.1))
        );
    }
    let _ = write!(text, "\n{} database: {}", sizes.kind, readable(sizes.bytes));
    if let Some(log) = log {
        let _ = write!(text, ", write-ahead log: {}", readable(log as i64));
    }
    let _ = write!(text, "\n\n{}", super::prune::table("to delete", expired));
    text
}

/// A day as a date: the algorithm is Howard Hinnant's `civil_from_days`.
fn day(milliseconds: i64) -> String {
    let days = milliseconds.div_euclid(24 * 3600 * 1000) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        let at = |days: i64| day(days * 24 * 3600 * 1000);
        assert_eq!([at(0), at(59), at(-1)], ["1970-01-01", "1970-03-01", "1969-12-31"]);
        assert_eq!([at(11_016), at(20_775)], ["2000-02-29", "2026-11-18"]);
    }
}
