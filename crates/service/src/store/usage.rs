//! Daily storage quotas: how many bytes each address and each identity has stored.
//!
//! A charge is written in the transaction that stores what is charged for: both are kept or neither.

use super::{Store, StoreError};
use sqlx::AnyConnection;

/// A charge against the daily quotas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The day, counted from 1970, in UTC.
    pub day: i64,
    /// The bytes.
    pub bytes: i64,
    /// The quotas that are charged: the address's first, then the identity's.
    pub payers: [Payer; 2],
}

/// A quota that is charged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payer {
    /// A pseudonymous name, see [`crate::quota`].
    pub name: String,
    /// The most bytes a day.
    pub limit: i64,
}

impl Store {
    /// Charges for something small that is stored next, whether or not it then is.
    ///
    /// # Errors
    /// If the database fails, or too much was stored today.
    pub async fn pay(&self, charge: Option<Charge>) -> Result<(), StoreError> {
        let Some(charge) = charge else { return Ok(()) };
        let mut transaction = self.begin().await?;
        pay(&mut transaction, &charge).await?;
        transaction.commit().await
    }
}

/// Adds a charge to the day's bytes of all its quotas.
///
/// # Errors
/// [`StoreError::OverQuota`] if a quota is used up; then nothing is charged.
pub(super) async fn pay(connection: &mut AnyConnection, charge: &Charge) -> Result<(), StoreError> {
    for (paid, payer) in charge.payers.iter().enumerate() {
        if charge.bytes <= payer.limit && add(connection, charge, payer).await? {
            continue;
        }
        // Others may share this transaction, so that it cannot be rolled back.
        for payer in &charge.payers[..paid] {
            refund(connection, charge, payer).await?;
        }
        return Err(StoreError::OverQuota);
    }
    Ok(())
}

/// Whether there was room for it.
async fn add(
    connection: &mut AnyConnection,
    charge: &Charge,
    payer: &Payer,
) -> Result<bool, StoreError> {
    let added = sqlx::query(
        "INSERT INTO storage_use (day, who, bytes) VALUES ($1, $2, $3) ON CONFLICT (day, who) \
         DO UPDATE SET bytes = storage_use.bytes + $3 WHERE storage_use.bytes + $3 <= $4",
    )
    .bind(charge.day)
    .bind(&payer.name)
    .bind(charge.bytes)
    .bind(payer.limit)
    .execute(connection)
    .await?;
    Ok(added.rows_affected() == 1)
}

async fn refund(
    connection: &mut AnyConnection,
    charge: &Charge,
    payer: &Payer,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE storage_use SET bytes = bytes - $3 WHERE day = $1 AND who = $2")
        .bind(charge.day)
        .bind(&payer.name)
        .bind(charge.bytes)
        .execute(connection)
        .await?;
    Ok(())
}
