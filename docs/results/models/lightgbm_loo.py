"""The same with LightGBM, P1's learner: pip install lightgbm; python lightgbm_loo.py SAMPLE.csv..."""

import csv
import sys
import time

import lightgbm
import numpy as np


def read(path):
    header, *table = list(csv.reader(open(path)))
    rows = np.array([[float(cell) if cell else np.nan for cell in row[1:-2]] for row in table])
    return rows, {header[at]: np.array([float(row[at]) for row in table]) for at in (-2, -1)}


def leave_one_out(rows, values, settings):
    predicted = []
    for out in range(len(values)):
        kept = np.arange(len(values)) != out
        data = lightgbm.Dataset(rows[kept], values[kept])
        model = lightgbm.train(settings, data, num_boost_round=1000)
        predicted.append(model.predict(rows[out:out + 1])[0])
    error = np.mean((values - predicted) ** 2)
    return error ** 0.5, 1 - error / values.var()


samples = [read(path) for path in sys.argv[1:]]
for least in (20, 5):
    settings = dict(learning_rate=0.01, objective="l2", min_data_in_leaf=least, num_threads=1,
                    verbose=-1, deterministic=True, seed=1)
    for target in ("interest", "difficulty"):
        start = time.time()
        skills = [leave_one_out(rows, targets[target], settings) for rows, targets in samples]
        ms = 1000 * (time.time() - start) / sum(len(rows) for rows, _ in samples)
        rmse, r2 = np.mean(skills, axis=0)
        each = " ".join(f"{r2:.2f}" for _, r2 in skills)
        print(f"| LightGBM {lightgbm.__version__}, leaves of {least} | {target} | {rmse:.3f} | {r2:.3f} | {each} | {ms:.0f} |",
              flush=True)
