#!/usr/bin/env python3
"""Makes a database of real activity with a released `spuk`, for the test of upgrades.

    make.py SPUK schema-3.db
    make.py SPUK schema-3.sql postgres://user@host/empty_database   # needs pg_dump

Beside the database it writes what a visitor saw there (FILE.json), which the test expects to see again.
"""

import http.cookiejar
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

TOKEN = "a token for tests"
RED = ["b1", "c1", "d2", "e2"]


class Browser:
    """Somebody with cookies."""

    def __init__(self, address, token=None):
        self.address = address
        self.jar = http.cookiejar.CookieJar()
        handler = urllib.request.HTTPCookieProcessor(self.jar)
        self.opener = urllib.request.build_opener(handler)
        if token:
            self.opener.addheaders = [("authorization", f"Bearer {token}")]

    def send(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/v1{path}", data)
        request.add_header("content-type", "application/json")
        try:
            with self.opener.open(request) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path}: {error} {error.read().decode()}") from error

    def get(self, path):
        return json.loads(self.send(path))

    def post(self, path, body=None):
        return json.loads(self.send(path, body or {}))

    def person(self):
        """The id in the signed cookie."""
        self.get("/me")
        return next(c.value for c in self.jar if c.name == "spuk").split(".")[0]

    def verdicts(self, position):
        query = urllib.parse.urlencode({"position": position})
        return self.get(f"/analysis?{query}")["moves"]

    def step(self, attempt, good):
        """Plays a move that keeps the win, or one that loses it."""
        moves = self.verdicts(attempt["position"])
        wanted = [m for m in moves if (m["best"] if good else m["verdict"] == "no-win" and m["depth"] >= 99)]
        body = {"move": wanted[0]["move"], "ply": len(attempt["events"])}
        return self.post(f"/attempts/{attempt['attempt']}/moves", body)

    def begin(self, puzzle, **body):
        return self.post(f"/puzzles/{puzzle}/attempts", body)

    def solve(self, attempt):
        while attempt["state"] != "solved":
            attempt = self.step(attempt, True)
        return attempt


def attempts(address, puzzles):
    solver = Browser(address)
    found = {"person": solver.person()}
    found["solved"] = solver.solve(solver.begin(puzzles[0]))["attempt"]
    solver.post(f"/puzzles/{puzzles[0]}/ratings", {"interest": 2, "difficulty": -1})
    failed = solver.step(solver.begin(puzzles[1]), False)
    found["failed"] = failed["attempt"]
    hinted = solver.begin(puzzles[2])
    solver.post(f"/attempts/{hinted['attempt']}/hint")
    found["hinted"] = hinted["attempt"]
    shown = solver.begin(puzzles[3])
    solver.post(f"/attempts/{shown['attempt']}/solution")
    for _ in range(2):
        streak = solver.post("/streak")
        solver.solve(solver.begin(streak["puzzle"], mode="streak"))
    found["open"] = solver.step(solver.begin(puzzles[4]), True)
    found["open_puzzle"] = puzzles[4]
    found["streak"] = solver.get("/streak")
    found["me"] = solver.get("/me")
    found["progress"] = solver.get("/progress")
    found["opinions"] = puzzles[0]
    found["transfer"] = solver.post("/transfer")["code"]
    return found


def study(address, puzzles):
    researcher, participant = Browser(address, TOKEN), Browser(address)
    made = {"title": "Walls", "consent": "I agree.", "puzzles": puzzles}
    study_id = researcher.post("/studies", made)["id"]
    participant.post(f"/studies/{study_id}/consent")
    for solved in (True, False):
        puzzle = participant.get(f"/studies/{study_id}")["puzzle"]
        attempt = participant.begin(puzzle, mode="study", study=study_id)
        if solved:
            participant.solve(attempt)
        else:
            participant.post(f"/attempts/{attempt['attempt']}/solution")
        opinion = {"interest": 1, "difficulty": -2, "study": study_id}
        participant.post(f"/puzzles/{puzzle}/ratings", opinion)
    csv = researcher.send(f"/studies/{study_id}/ratings.csv")
    part = participant.get(f"/studies/{study_id}")
    return {"id": study_id, "person": participant.person(), "csv": csv, "part": part}


class Game:
    """A game and those who play it."""

    def __init__(self, address, kind, opponent=None, seat="first"):
        self.one, self.other = Browser(address), Browser(address)
        wish = {"kind": kind, "opponent": opponent, "seat": seat}
        begun = self.one.post("/games", wish)
        self.id, self.invite, self.opponent = begun["game"], begun.get("invite"), opponent

    def do(self, browser, what, body=None):
        return browser.post(f"/games/{self.id}/{what}", body)

    def join(self):
        self.do(self.other, "join", {"invite": self.invite})
        return self

    def set_up(self):
        for browser in [self.one] if self.opponent else [self.one, self.other]:
            self.do(browser, "setup", {"red": RED})
        return self

    def view(self, browser):
        return browser.get(f"/games/{self.id}")

    def play(self, most):
        """Random moves of everybody but programs."""
        for _ in range(most):
            for browser in [self.one] if self.opponent else [self.one, self.other]:
                view = self.view(browser)
                while self.opponent and not view["your_turn"] and view["stage"] != "over":
                    time.sleep(0.05)
                    view = self.view(browser)
                if view["stage"] == "over":
                    return self
                if view["your_turn"]:
                    part = view.get("geister") or view["kriegspiel"]
                    moves = part.get("legal") or part["tries"]
                    body = {"move": random.choice(moves), "ply": view["ply"]}
                    self.do(browser, "moves", body)
        # A program's answer is kept before anybody looks.
        time.sleep(1 if self.opponent else 0)
        return self

    def review(self):
        while True:
            review = self.one.get(f"/games/{self.id}/review")
            if review["status"] == "done":
                return review
            time.sleep(0.1)

    def record(self):
        view = self.view(self.one)
        kept = {name: view[name] for name in ("game", "role", "stage", "ply", "your_turn", "end")}
        for kind, moves in (("geister", "events"), ("kriegspiel", "turns")):
            if view.get(kind):
                kept["moves"] = view[kind][moves]
        second = None if self.opponent else self.other.person()
        return {"person": self.one.person(), "second": second, "view": kept}


def games(address):
    found = {
        "program": Game(address, "geister", "random").set_up().play(3),
        "program-kriegspiel": Game(address, "kriegspiel", "greedy", "second").play(4),
        "waiting": Game(address, "geister"),
        "setting-up": Game(address, "geister").join(),
        "playing": Game(address, "geister").join().set_up().play(4),
        "playing-kriegspiel": Game(address, "kriegspiel").join().play(5),
        "resigned": Game(address, "kriegspiel").join().play(3),
    }
    found["resigned"].do(found["resigned"].other, "resign")
    found["resigned"].review()
    found["playing"].do(found["playing"].one, "notes", {"notes": "b5r"})
    for _ in range(30):
        over = Game(address, "geister").join().set_up().play(300)
        if over.view(over.one)["stage"] != "over":
            continue
        found["over"] = over
        missed = over.review()["seats"][0]["missed"]
        if missed:
            ask = {"seat": "first", "ply": missed[0]["ply"]}
            puzzle = over.do(over.one, "puzzle", ask)["puzzle"]
            break
    else:
        raise SystemExit("nobody missed a win")
    return {name: game.record() for name, game in found.items()}, puzzle


def main():
    program, target = sys.argv[1:3]
    database = sys.argv[3] if len(sys.argv) > 3 else None
    random.seed(22)
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "serve", "--listen", "127.0.0.1:0", "--data", folder, "--token", TOKEN]
        command += ["--unlimited", "--json"] + (["--database", database] if database else [])
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        address = json.loads(server.stdout.readline())["address"]
        try:
            listed = Browser(address).get("/puzzles")["puzzles"]
            puzzles = [puzzle["id"] for puzzle in listed]
            seen = {"made": int(1000 * time.time()), "solver": attempts(address, puzzles)}
            seen["study"] = study(address, puzzles[5:9])
            if "/api/v1/games" in Browser(address).get("/openapi.json")["paths"]:
                seen["games"], seen["found"] = games(address)
        finally:
            server.terminate()
            server.wait()
        if database:
            dump = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", database]
            text = subprocess.run(dump, check=True, capture_output=True, text=True).stdout
            lines = [l for l in text.splitlines() if l and not l.startswith(("--", "\\"))]
            with open(target, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        else:
            source = sqlite3.connect(os.path.join(folder, "spuk.db"))
            if os.path.exists(target):
                os.remove(target)
            source.execute("VACUUM INTO ?", (target,))
            source.close()
    with open(target + ".json", "w", encoding="utf-8") as file:
        json.dump(seen, file)
        file.write("\n")


main()
