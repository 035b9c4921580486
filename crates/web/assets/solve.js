/**
 * Solving puzzles: one at a time, in a streak, or in a study. The server judges every move; this
 * module shows what it says.
 */

import { get, post } from './api.js';
import { Board } from './board.js';
import { button, calm, h, playPlaces, refill } from './dom.js';
import { after, exitsOf, parsePosition, takenIn, tallyOf } from './position.js';
import { Timer, timerWanted, wantTimer } from './timer.js';
import { change, has, moveText, t, whole, winLength } from './words.js';

/** How long the opponent seems to think, so that its move is seen as one of its own. */
const REPLY_PAUSE = 260;

/** The storage key of the open attempt's puzzle, so that a reload resumes it. */
const UNDER_WAY = 'spuk.under-way';

function isUnderWay(puzzle) {
  try {
    return localStorage.getItem(UNDER_WAY) === puzzle;
  } catch {
    // Without storage the attempt is found again with the first move.
    return false;
  }
}

function keepUnderWay(puzzle, open) {
  try {
    if (open) localStorage.setItem(UNDER_WAY, puzzle);
    else if (isUnderWay(puzzle)) localStorage.removeItem(UNDER_WAY);
  } catch {
    // As above.
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, calm() ? 0 : milliseconds));

class Solver {
  constructor(main) {
    const { puzzle, position, plies, legal, mode, study, next, resume } = main.dataset;
    this.mode = mode || 'puzzle';
    this.study = study || null;
    this.next = next || null;
    this.attempt = null;
    this.events = [];
    this.timer = new Timer({ onEnd: () => this.timeIsUp() });
    this.buildPage(main);
    if (this.mode === 'streak') this.openStreak(main.dataset);
    else if (this.mode === 'study') this.openStudy(main.dataset);
    else this.open({ puzzle, start: position, plies: Number(plies), legal: (legal ?? '').split(/[\s,]+/).filter(Boolean) }, resume !== undefined || isUnderWay(puzzle));
  }

  buildPage(main) {
    Object.assign(this, playPlaces(main));
    this.task = h('div', { class: 'task' });
    this.status = h('div', { class: 'status', role: 'status', 'aria-live': 'polite' });
    this.actions = h('div', { class: 'actions' });
    this.tools = h('div', { class: 'tools' });
    this.summary = h('div', {});
    this.explore = h('div', { class: 'explore' });
    this.end = h('div', { class: 'result' });
    this.panel.replaceChildren(this.task, this.status, this.actions, this.tools, this.summary, this.explore, this.end);
  }

  /** Shows a puzzle. An attempt begins with the first move, or at once where the page wants that. */
  async open({ puzzle, start, plies, legal }, atOnce) {
    Object.assign(this, { puzzle, start, plies, attempt: null, events: [] });
    this.opened = performance.now();
    this.clearEnd();
    if (start) {
      this.makeBoard();
      this.showTask();
      this.showPosition({ legal });
      this.say('info', t('solve.your-move'));
      this.showTools();
      this.timer.start();
    }
    if (atOnce || !legal?.length) await this.guard(() => this.begin());
  }

  clearEnd() {
    for (const part of [this.summary, this.explore, this.end]) refill(part, [], () => this.focusBoard());
  }

  makeBoard() {
    const { columns, rows } = parsePosition(this.start);
    const focused = this.boardPlace.contains(document.activeElement);
    this.board = new Board(this.boardPlace, {
      columns, rows, exits: exitsOf(columns, rows), onMove: (move) => this.guard(() => this.tryMove(move)),
    });
    if (focused) this.focusBoard();
  }

  focusBoard() {
    this.board?.focusCell(this.board.cursor);
  }

  showTask() {
    const { blue, red } = parsePosition(this.start);
    const { plies } = this;
    this.task.replaceChildren(
      h('p', { class: 'task-goal' }, t('task.win', winLength(plies))),
      h('p', { class: 'task-colours' }, t('task.colours', { blue, red })));
  }

  /** The state of the board after all events. */
  state() {
    return this.events.reduce(after, parsePosition(this.start));
  }

  showPosition(change = {}) {
    const state = this.state();
    this.board.show({
      pieces: state.pieces, tally: tallyOf(state), taken: takenIn(this.events),
      lastMove: this.events.at(-1)?.move ?? null, hint: null, arrows: [], badges: [], legal: [], ...change,
    });
  }

  /** Runs work that calls the server; an error is shown, and the board is restored. */
  async guard(work) {
    this.panel.setAttribute('aria-busy', 'true');
    try {
      await work();
    } catch (error) {
      if (!error.code) throw error;
      if (this.board) this.showPosition({ legal: this.attempt?.legal ?? this.board.view.legal });
      this.say('error', error.message);
      this.act(button(t('error.again'), () => this.reload()));
    } finally {
      this.panel.removeAttribute('aria-busy');
    }
  }

  /** Gets the current state from the server and continues from there. */
  reload() {
    return this.guard(async () => {
      if (this.attempt) this.accept(await get(`attempts/${this.attempt.attempt}`));
      else await this.begin();
    });
  }

  /**
   * Asks for an attempt; the one that is open, if there is one and none is to be made anew. In a study
   * the server chooses the puzzle and starts its clock.
   */
  request(again) {
    if (this.study) return post(`studies/${this.study}/next`, {}, { again: true });
    const waited = (performance.now() - this.opened) / 1000;
    const body = { mode: this.mode, again, waited };
    return post(`puzzles/${this.puzzle}/attempts`, body, { again: !again });
  }

  /** Starts an attempt, or resumes the open one, and shows it. */
  async begin(again = false) {
    const attempt = await this.request(again);
    this.puzzle = attempt.puzzle;
    this.plies = attempt.m_win;
    if (!this.board || this.start !== attempt.start) {
      this.start = attempt.start;
      this.makeBoard();
    }
    this.showTask();
    this.accept(attempt);
  }

  /** Starts an attempt without drawing anything, so that the first move is animated without a break. */
  async ensure() {
    if (this.attempt) return;
    const attempt = await this.request(false);
    if (attempt.events.length > 0 || attempt.state !== 'open') this.accept(attempt);
    else this.attempt = attempt;
  }

  /** Takes over what the server says about the attempt, and shows it. */
  accept(attempt) {
    this.attempt = attempt;
    this.events = attempt.events;
    if (!this.study) keepUnderWay(this.puzzle, attempt.state === 'open' && attempt.events.length > 0);
    const { elapsed_seconds: elapsed, limit_seconds: limit } = attempt;
    // The clock was seen running before the attempt began; it must not jump back.
    if (attempt.state === 'open') this.timer.start(limit ? elapsed : Math.max(elapsed, this.timer.elapsed), limit);
    if (this.isOver()) {
      this.finish();
      return;
    }
    this.showPosition({ legal: attempt.legal, hint: attempt.hint });
    this.act();
    this.showTools();
    if (!attempt.judgement) this.sayWhereWeAre(attempt);
  }

  /** Says how an attempt stands that comes without a judgement: taken back, or found again. */
  sayWhereWeAre({ state, plies, can_take_back: canTakeBack }) {
    if (plies === null && state === 'open') this.say('longer', t('judge.unclear'), [t('judge.unclear-why')]);
    else if (plies === null) this.say('lost', t('judge.lost'));
    else this.say('info', t(state === 'failed' ? 'solve.practice' : 'solve.your-move'));
    // In a study the tools have no solution; once the time is over there must be a way on.
    const stuck = plies === null || (state === 'failed' && this.mode === 'study');
    this.act(...(canTakeBack ? [this.backButton()] : []), ...(stuck ? [this.solutionButton()] : []));
    if (plies === null) this.showTools('none');
  }

  backButton() {
    return button(t('action.take-back'), () => this.takeBack(), { class: 'button primary' });
  }

  solutionButton(attributes) {
    return button(t('action.solution'), () => this.showSolution(), attributes);
  }

  isOver() {
    return this.attempt.state === 'solved' || this.attempt.state === 'shown';
  }

  async tryMove(move) {
    if (!this.attempt) {
      await this.ensure();
      // An attempt from another visit is shown first; the move was meant for another position.
      if (this.events.length > 0 || !this.attempt.legal.includes(move)) return;
    }
    this.act();
    this.showTools('waiting');
    const body = { move, ply: this.events.length };
    const attempt = await post(`attempts/${this.attempt.attempt}/moves`, body, { again: true });
    // If the first response was lost, the second has only the current state.
    if (attempt.judgement) await this.showJudgement(attempt);
    else this.accept(attempt);
  }

  async showJudgement(attempt) {
    const { own, reply } = attempt.judgement;
    const before = this.state();
    const middle = after(before, own);
    if (attempt.judgement.verdict === 'lost') this.say('lost', t('judge.lost'));
    await this.board.play(own, { tally: tallyOf(middle) });
    if (reply) {
      await pause(REPLY_PAUSE);
      await this.board.play(reply, { tally: tallyOf(after(middle, reply)) });
    }
    this.accept(attempt);
    if (this.isOver()) return;
    this.explain(attempt);
  }

  /** Says what the judgement means, with what can be done next. */
  explain({ judgement, plies, result, can_take_back: canTakeBack }) {
    const { verdict, by, depth, never, own, reply, end } = judgement;
    const lines = [];
    const events = [own, reply].filter(Boolean);
    if (verdict === 'lost') {
      if (!end) lines.push(never || depth === null ? t('judge.lost-never') : t('judge.lost-within', winLength(depth)));
      if (reply) lines.push(t('judge.refutation', { move: moveText(reply.move, Boolean(reply.captured)) }));
      if (end && has(`end.top.${end}`)) lines.push(t(`end.top.${end}`));
    } else if (verdict === 'unclear') {
      lines.push(t('judge.lost-within', winLength(depth)), t('judge.unclear-why'));
    } else {
      lines.push(t('judge.left', winLength(plies)));
    }
    lines.push(...events.map(purpleNote));
    if (verdict === 'lost' && result && this.mode !== 'study') lines.push(...ratingNotes(result));
    const title = verdict === 'longer' ? t('judge.longer', winLength(by)) : t(`judge.${verdict}`);
    this.say(verdict === 'unclear' ? 'longer' : verdict, title, lines);
    if (verdict === 'right' || !canTakeBack) return;
    const back = this.backButton();
    if (verdict === 'unclear') {
      this.board.show({ legal: [] });
      this.act(back);
    } else if (verdict === 'longer') {
      this.act(back, button(t('action.go-on'), () => this.act()));
    } else {
      this.board.show({ legal: [], arrows: reply ? [{ move: reply.move, kind: 'refutation' }] : [] });
      this.act(...(this.mode === 'streak' ? [] : [back]), this.solutionButton());
      this.showTools('none');
      if (this.mode === 'streak') this.streakIsOver();
    }
  }

  takeBack() {
    return this.guard(async () => {
      const { attempt } = this.attempt;
      this.accept(await post(`attempts/${attempt}/back`, { ply: this.events.length }));
    });
  }

  showHint() {
    return this.guard(async () => {
      await this.ensure();
      const attempt = await post(`attempts/${this.attempt.attempt}/hint`, {}, { again: true });
      this.accept(attempt);
      this.say('info', t('hint.text', { square: attempt.hint }), [t('hint.cost')]);
      this.board.announce(t('hint.text', { square: attempt.hint }));
    });
  }

  showSolution() {
    return this.guard(async () => {
      await this.ensure();
      this.accept(await post(`attempts/${this.attempt.attempt}/solution`, {}, { again: true }));
    });
  }

  timeIsUp() {
    this.say('lost', t('study.time-up'));
    this.showSolution();
  }

  /**
   * Hint, solution and the clock.
   * @param {'ready'|'waiting'|'none'} help whether hint and solution are to be had
   */
  showTools(help = 'ready') {
    const helps = help !== 'none' && this.mode !== 'study' && this.mode !== 'streak';
    const disabled = help === 'waiting';
    const wanted = timerWanted();
    const toggle = button(t(wanted ? 'timer.hide' : 'timer.show'), () => {
      wantTimer(!wanted);
      this.showTools(help);
    }, { class: 'button quiet' });
    refill(this.tools, [
      ...(helps ? [
        button(t('action.hint'), () => this.showHint(), { disabled }),
        this.solutionButton({ disabled }),
      ] : []),
      ...(this.attempt?.limit_seconds ? [this.timer.face] : wanted ? [this.timer.face, toggle] : [toggle]),
    ], () => this.focusBoard());
  }

  /** Tells something in the box above the buttons. */
  say(kind, title, lines = []) {
    this.status.className = `status ${kind}`;
    this.status.replaceChildren(h('p', { class: 'status-title' }, title), ...lines.filter(Boolean).map((line) => h('p', {}, line)));
  }

  act(...buttons) {
    refill(this.actions, buttons, () => this.focusBoard());
  }

  /** The end: outcome, grade, questions, solution. Its modules are not needed before. */
  async finish() {
    const { facts, gradeSection, questions } = await import('./result.js');
    this.timer.stop();
    const { result, state, judgement } = this.attempt;
    const lines = judgement ? [judgement.own, judgement.reply].filter(Boolean).map(purpleNote) : [];
    if (judgement?.end && judgement.verdict !== 'lost' && has(`end.own.${judgement.end}`)) lines.unshift(t(`end.own.${judgement.end}`));
    const outcome = state === 'solved' && result.outcome === 'failed' ? 'practised' : result.outcome;
    this.say(outcome === 'solved' ? 'right' : outcome === 'failed' ? 'lost' : 'info', t(`outcome.${outcome}`), lines);
    refill(this.tools, [], () => this.focusBoard());
    if (this.mode === 'streak') {
      this.streakGoesOn();
      return;
    }
    const inStudy = this.mode === 'study';
    const next = button(t(inStudy ? 'study.next' : 'action.next'), () => this.goNext(), { class: 'button primary' });
    next.disabled = inStudy && (result.mine?.interest ?? null) === null;
    const again = button(t('action.again'), () => this.guard(() => this.startAgain()));
    this.act(next, ...(inStudy ? [] : [again]));
    const asked = questions({
      puzzle: this.puzzle, study: this.study, mine: result.mine, people: result.people, onRated: () => { next.disabled = false; },
    });
    // Participants of a study do not see the opinions of others or of the program.
    const notes = inStudy ? [] : movementNotes(result).map((note) => h('p', { class: 'note' }, note));
    this.summary.replaceChildren(...(inStudy ? [] : [facts(result), ...notes]));
    this.end.replaceChildren(...(inStudy ? [asked] : [asked, gradeSection(result)]));
    this.openExplorer(result.line);
  }

  async openExplorer(line) {
    if (!line) return;
    const { Explorer } = await import('./explore.js');
    const won = this.attempt.judgement?.end && this.attempt.judgement.verdict !== 'lost';
    new Explorer(this.board, this.explore, this.start, line, won ? this.events.map(({ move }) => move) : []);
  }

  async startAgain() {
    this.clearEnd();
    this.makeBoard();
    this.opened = performance.now();
    this.timer.start();
    await this.begin(true);
  }

  goNext() {
    const { next } = this.attempt.result;
    if (this.next) location.assign(this.next);
    else if (this.mode === 'study') location.assign(`/study/${this.study}`);
    else if (this.mode === 'review') location.assign('/review');
    else location.assign(next ? `/puzzle/${next}` : '/puzzles');
  }

  /*
   * A study: the puzzle comes from the server when the participant is ready, for then the clock runs.
   * After a reload a running clock runs on.
   */

  openStudy({ done, total, limit, running }) {
    this.task.replaceChildren(
      total ? h('p', { class: 'task-goal' }, t('study.progress', { done: Number(done) + 1, total })) : '',
      h('p', {}, limit ? t('study.ready-limit', { n: limit }) : t('study.ready')));
    const start = () => this.guard(async () => {
      this.act();
      this.opened = performance.now();
      await this.begin();
    });
    if (running === undefined) this.act(button(t('study.start'), start, { class: 'button primary' }));
    else start();
  }

  /* A streak: one mistake ends it. */

  openStreak({ puzzle, count, best }) {
    if (puzzle) {
      this.showStreak({ count: Number(count), best: Number(best) });
      this.open({ puzzle }, true);
      return;
    }
    this.say('info', t('streak.intro'));
    this.act(button(t('streak.start'), () => this.startStreak(), { class: 'button primary' }));
  }

  startStreak() {
    return this.guard(async () => {
      const streak = await post('streak');
      this.act();
      this.showStreak(streak);
      await this.open({ puzzle: streak.puzzle }, true);
    });
  }

  showStreak({ count, best }) {
    let place = document.getElementById('streak-count');
    if (!place) {
      place = h('p', { id: 'streak-count', class: 'streak-count' });
      this.panel.prepend(place);
    }
    place.replaceChildren(h('strong', {}, whole(count)), ` ${t('streak.best', { n: best })}`);
  }

  streakGoesOn() {
    return this.guard(async () => {
      const streak = await get('streak');
      this.showStreak(streak);
      if (streak.over || !streak.puzzle) {
        this.streakIsOver(streak);
        return;
      }
      await pause(900);
      await this.open({ puzzle: streak.puzzle }, true);
    });
  }

  async streakIsOver(known = null) {
    this.timer.stop();
    refill(this.tools, [], () => this.focusBoard());
    const streak = known ?? await get('streak');
    this.showStreak(streak);
    this.act(
      button(t('streak.again'), () => this.startStreak(), { class: 'button primary' }),
      button(t('action.solution'), () => this.streakSolution()));
  }

  streakSolution() {
    return this.guard(async () => {
      const attempt = await post(`attempts/${this.attempt.attempt}/solution`, {}, { again: true });
      const { gradeSection } = await import('./result.js');
      this.end.replaceChildren(gradeSection(attempt.result));
      this.openExplorer(attempt.result.line);
    });
  }
}

/** The note on a hidden ghost that was revealed, if any. */
function purpleNote(event) {
  if (!event.was_hidden) return null;
  if (event.left) return t('purple.left');
  return event.side === 'own' ? t('purple.captured') : null;
}

/** Why the rating of the player stays, or moves little; nothing if it moves as usual. */
function movementNotes({ unrated, counted, weight }) {
  if (unrated) return has(`result.unrated.${unrated}`) ? [t(`result.unrated.${unrated}`)] : [];
  return counted && weight < 1 ? [t('result.slow')] : [];
}

/** What an attempt did to the rating of the player. */
function ratingNotes(result) {
  const { player } = result;
  if (!player) return movementNotes(result);
  const delta = Math.round(player.after) - Math.round(player.before);
  return [t('result.rating-now', { rating: whole(player.after), change: change(delta) }), ...movementNotes(result)];
}

const main = document.getElementById('solve');
if (main) new Solver(main);
