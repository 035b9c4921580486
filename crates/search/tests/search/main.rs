//! The searches against their slow twin, their limits, and foresight, on toy games.

mod agreement;
mod budgets;
mod foresight;
mod fortune;
mod known_results;
mod maximax;
mod root_numbers;
mod solvers;
mod toys;
