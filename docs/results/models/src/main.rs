//! Leave-one-out of several learners over samples that `spuk lab ratings --full` writes.

use puzzle::features::{Feature, Features};
use puzzle::model::{Dataset, Model, Skill};
use std::time::Instant;

/// A row: its features, unknown ones as NaN.
type Rows = Vec<Vec<f64>>;
type Learner = fn(&Rows, &[f64], &[f64]) -> f64;

/// A sample of ratings: the rows, and the averages of the raters for each.
struct Sample {
    rows: Rows,
    /// Interest, then difficulty.
    targets: [Vec<f64>; 2],
}

impl Sample {
    fn read(path: &str) -> Sample {
        let text = std::fs::read_to_string(path).expect("a readable sample");
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().expect("a header");
        let table: Vec<Vec<&str>> = lines.collect();
        let last = header.len() - 2;
        let number = |cell: &&str| cell.parse().unwrap_or(f64::NAN);
        let row = |row: &Vec<&str>| row[1..last].iter().map(number).collect();
        let target = |column: usize| table.iter().map(|row| number(&row[column])).collect();
        let names: Vec<String> = header[1..last].iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(&names, NAMES.get_or_init(|| names.clone()), "samples have the same columns");
        Sample { rows: table.iter().map(row).collect(), targets: [last, last + 1].map(target) }
    }

    /// Leave-one-out.
    fn skill(&self, learner: Learner, target: usize) -> Skill {
        let targets = &self.targets[target];
        let predicted: Vec<f64> = (0..self.rows.len())
            .map(|out| {
                let mut others = self.rows.clone();
                let row = others.remove(out);
                let mut rest = targets.clone();
                rest.remove(out);
                learner(&others, &rest, &row)
            })
            .collect();
        Skill::of(&predicted, targets)
    }
}

fn main() {
    let samples: Vec<Sample> = std::env::args().skip(1).map(|path| Sample::read(&path)).collect();
    let learners: [(&str, Learner); 8] = [
        ("the mean", |_, targets, _| targets.iter().sum::<f64>() / targets.len() as f64),
        ("perpetual, budget 0.5", |r, t, x| perpetual(0.5, r, t, x)),
        ("perpetual, budget 1", |r, t, x| perpetual(1.0, r, t, x)),
        ("perpetual, budget 1.5", |r, t, x| perpetual(1.5, r, t, x)),
        ("spuk train", spuk_train),
        ("forust-ml, 4 leaves of 5", |r, t, x| forust(4, 5, r, t, x)),
        ("forust-ml, 31 leaves of 20", |r, t, x| forust(31, 20, r, t, x)),
        ("gbdt", gbdt),
    ];
    println!("| learner | target | RMSE | R2 | of each sample | ms a fit |");
    println!("| --- | --- | --- | --- | --- | --- |");
    // ONLY=name leaves the others out.
    let only = std::env::var("ONLY").unwrap_or_default();
    for (name, learner) in learners.into_iter().filter(|(name, _)| name.contains(&only)) {
        for (target, called) in ["interest", "difficulty"].into_iter().enumerate() {
            let start = Instant::now();
            let skills: Vec<Skill> = samples.iter().map(|one| one.skill(learner, target)).collect();
            let count = samples.len() as f64;
            let fits: usize = samples.iter().map(|sample| sample.rows.len()).sum();
            let milliseconds = 1000.0 * start.elapsed().as_secs_f64() / fits as f64;
            let rmse = skills.iter().map(|skill| skill.rmse).sum::<f64>() / count;
            let r2 = skills.iter().map(|skill| skill.r_squared).sum::<f64>() / count;
            let each: Vec<String> = skills.iter().map(|s| format!("{:.2}", s.r_squared)).collect();
            let each = each.join(" ");
            println!("| {name} | {called} | {rmse:.3} | {r2:.3} | {each} | {milliseconds:.0} |");
        }
    }
}

static NAMES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();

fn features(row: &[f64]) -> Features {
    let mut features = Features::UNKNOWN;
    for (name, value) in NAMES.get().expect("set").iter().zip(row) {
        features.set(Feature::from_name(name).expect("a feature"), *value);
    }
    features
}

/// What `spuk train` uses: perpetual with budget 1 and few borders, its trees made ours.
fn spuk_train(rows: &Rows, targets: &[f64], asked: &[f64]) -> f64 {
    let rows = rows.iter().map(|row| features(row)).collect();
    let data = Dataset::new(&Feature::ALL, rows, targets.to_vec());
    Model::fit(&data).expect("a fit").predict(&features(asked))
}

/// Column by column, as most learners want it.
fn columns(rows: &Rows) -> Vec<f64> {
    (0..rows[0].len()).flat_map(|column| rows.iter().map(move |row| row[column])).collect()
}

fn perpetual(budget: f32, rows: &Rows, targets: &[f64], asked: &[f64]) -> f64 {
    use perpetual::{Matrix, PerpetualBooster, objective::Objective};
    let data = columns(rows);
    let mut booster = PerpetualBooster::default()
        .set_objective(Objective::SquaredLoss)
        .set_budget(budget)
        .set_num_threads(Some(1));
    booster.fit(&Matrix::new(&data, rows.len(), asked.len()), targets, None, None).expect("a fit");
    booster.predict(&Matrix::new(asked, 1, asked.len()), false)[0]
}

fn forust(leaves: usize, least: u8, rows: &Rows, targets: &[f64], asked: &[f64]) -> f64 {
    use forust_ml::objective::ObjectiveType;
    use forust_ml::{GradientBooster, Matrix};
    let data = columns(rows);
    let mut booster = GradientBooster::default()
        .set_objective_type(ObjectiveType::SquaredLoss)
        .set_iterations(1000)
        .set_learning_rate(0.01)
        .set_max_leaves(leaves)
        .set_max_depth(31)
        .set_l2(0.0)
        .set_min_leaf_weight(f32::from(least))
        .set_initialize_base_score(true)
        .set_parallel(false);
    let matrix = Matrix::new(&data, rows.len(), asked.len());
    booster.fit_unweighted(&matrix, targets, None).expect("a fit");
    booster.predict(&Matrix::new(asked, 1, asked.len()), false)[0]
}

fn gbdt(rows: &Rows, targets: &[f64], asked: &[f64]) -> f64 {
    use gbdt::config::Config;
    use gbdt::decision_tree::Data;
    use gbdt::gradient_boost::GBDT;
    let mut config = Config::new();
    config.set_feature_size(asked.len());
    config.set_max_depth(3);
    config.set_min_leaf_size(20);
    config.set_iterations(1000);
    config.set_shrinkage(0.01);
    config.set_loss("SquaredError");
    config.set_training_optimization_level(2);
    // Its own mark of the unknown, the least number there is, makes it answer NaN.
    let vector = |row: &[f64]| -> Vec<f32> {
        row.iter().map(|v| if v.is_nan() { -1.0 } else { *v as f32 }).collect()
    };
    let mut data: Vec<Data> = rows
        .iter()
        .zip(targets)
        .map(|(row, target)| Data::new_training_data(vector(row), 1.0, *target as f32, None))
        .collect();
    let mut model = GBDT::new(&config);
    model.fit(&mut data);
    f64::from(model.predict(&vec![Data::new_test_data(vector(asked), None)])[0])
}
