//! A pool whose statements are counted.

use crate::metrics::{DATABASE, Operation};
use sqlx::any::{AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::{Any, AnyPool, Describe, Either, Execute, Executor};
use std::ops::Deref;

/// A pool of connections. Statements that it executes itself are counted; those of a transaction count as
/// one commit or rollback.
#[derive(Clone, Debug)]
pub(super) struct CountingPool(pub(super) AnyPool);

impl Deref for CountingPool {
    type Target = AnyPool;

    fn deref(&self) -> &AnyPool {
        &self.0
    }
}

impl<'p> Executor<'p> for &'p CountingPool {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> futures_util::stream::BoxStream<'e, sqlx::Result<Either<AnyQueryResult, AnyRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        DATABASE.count(Operation::Statement);
        self.0.fetch_many(query)
    }

    fn fetch_optional<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> futures_util::future::BoxFuture<'e, sqlx::Result<Option<AnyRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        DATABASE.count(Operation::Statement);
        self.0.fetch_optional(query)
    }

    fn prepare_with<'e, 'q: 'e>(
        self,
        sql: &'q str,
        parameters: &'e [AnyTypeInfo],
    ) -> futures_util::future::BoxFuture<'e, sqlx::Result<AnyStatement<'q>>>
    where
        'p: 'e,
    {
        self.0.prepare_with(sql, parameters)
    }

    fn describe<'e, 'q: 'e>(
        self,
        sql: &'q str,
    ) -> futures_util::future::BoxFuture<'e, sqlx::Result<Describe<Any>>>
    where
        'p: 'e,
    {
        self.0.describe(sql)
    }
}
