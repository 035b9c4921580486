//! The searches against reference implementations, their limits, and static results, on toy games.

mod agreement;
mod budgets;
mod known_results;
mod maximax;
mod root_numbers;
mod solvers;
mod static_results;
mod stochastic;
mod toys;
