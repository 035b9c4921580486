/** The solution of a puzzle, played through, with every other move to look into. */

import { button, calm, h, refill, s } from './dom.js';
import { Line } from './line.js';
import { badgesOf, moveTable, verdictKind, verdictText } from './values.js';
import { moveText, t } from './words.js';

/** How many moves fit before the same numbers begin: two plies have one number. */
const numberOf = (place) => Math.floor(place / 2) + 1;

/** Drawn, for many fonts lack these signs. */
const SIGNS = {
  first: 'M3 3h3v14H3zM17 3v14L7 10z',
  previous: 'M15 3v14L5 10z',
  next: 'M5 3v14l10-7z',
  last: 'M14 3h3v14h-3zM3 3v14l10-7z',
};

/**
 * Buttons to go along a line, and the same by the arrow keys of the page.
 * @param {(where: 'first'|'previous'|'next'|'last') => void} go
 */
export function playbackButtons(go) {
  const one = (where) => button(s('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, s('path', { d: SIGNS[where] })), () => go(where), { 'aria-label': t(`playback.${where}`), title: t(`playback.${where}`) });
  const keys = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last' };
  const box = h('div', { class: 'playback', role: 'group', 'aria-label': t('playback.label') }, Object.keys(SIGNS).map(one));
  const listen = (event) => {
    if (!box.isConnected) {
      document.removeEventListener('keydown', listen);
      return;
    }
    const busy = event.target.closest?.('input:not([type=checkbox]), textarea, select, [role=grid]');
    if (!keys[event.key] || busy || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(keys[event.key]);
  };
  // Once the buttons are on the page: until then they would be taken for gone.
  requestAnimationFrame(() => document.addEventListener('keydown', listen));
  return box;
}

/** A line of moves in print, each to be clicked. */
export function moveLine(line, onPick) {
  const items = line.moves.map((move, index) => {
    const current = index === line.place - 1;
    const number = index % 2 === 0 ? h('span', { class: 'number' }, `${numberOf(index)}.`) : null;
    return h('li', {}, number, h('button', {
      type: 'button', class: 'ply', 'aria-current': current ? 'step' : null, onclick: () => onPick(index + 1),
    }, moveText(move, Boolean(line.events[index].captured))));
  });
  return h('ol', { class: 'line' }, items);
}

/** Solution and variations in a panel, on a board. */
export class Explorer {
  /**
   * @param {import('./board.js').Board} board
   * @param {HTMLElement} host
   * @param {string} start position text
   * @param {string[]} solution
   * @param {string[]} [played] moves at whose end to begin; otherwise the start of the solution
   */
  constructor(board, host, start, solution, played = []) {
    this.board = board;
    this.solution = solution;
    this.line = new Line(start, solution);
    if (played.length) this.line.follow(played, played.length);
    board.options.onMove = (move) => this.enter(move);
    this.place = h('div', { class: 'explore-line' });
    this.verdict = h('p', { class: 'verdict', role: 'status' });
    this.moves = h('div', {});
    this.choice = h('details', { open: matchMedia('(min-width: 48rem)').matches }, h('summary', {}, t('explore.moves')), this.moves);
    host.replaceChildren(
      h('h2', {}, t('explore.title')),
      playbackButtons((where) => this.go(where)),
      this.place, this.verdict, this.choice);
    this.refresh();
  }

  go(where) {
    const { place, moves } = this.line;
    const to = { first: 0, previous: place - 1, next: place + 1, last: moves.length }[where];
    this.walk(to);
  }

  async walk(to) {
    const forward = to === this.line.place + 1 && to <= this.line.moves.length;
    this.line.go(to);
    if (forward && !calm()) {
      const { tally } = this.line.view();
      await this.board.play(this.line.events[to - 1], { tally });
    }
    this.refresh();
  }

  /** Makes a move of one's own. */
  async enter(move) {
    this.line.step(move);
    const { tally } = this.line.view();
    await this.board.play(this.line.events[this.line.place - 1], { tally });
    this.refresh(true);
  }

  onSolution() {
    const played = this.line.played;
    return played.every((move, index) => move === this.solution[index]);
  }

  async refresh(entered = false) {
    const { line } = this;
    this.board.show(line.view());
    this.drawLine();
    const key = line.played.join();
    this.verdict.className = 'verdict waiting';
    try {
      const analysis = await line.analysis();
      if (line.played.join() !== key) return;
      // A branch continues with best play to show its consequences.
      if (entered && line.place === line.moves.length && analysis.line.length) {
        line.follow([...line.moves, ...analysis.line], line.place);
        this.drawLine();
      }
      this.verdict.className = `verdict ${verdictKind(analysis)}`;
      this.verdict.textContent = verdictText(analysis);
      // Where the game is over there is nothing to choose from.
      this.choice.hidden = analysis.moves.length === 0;
      refill(this.moves, [moveTable(analysis, (entry) => this.enter(entry.move))], () => this.board.focusCell(this.board.cursor));
      if (!this.board.pending) this.board.show({ legal: analysis.moves.map(({ move }) => move), badges: badgesOf(analysis) });
    } catch (error) {
      this.verdict.className = 'verdict error';
      this.verdict.textContent = error.message;
    }
  }

  drawLine() {
    const away = !this.onSolution() || this.line.moves.join() !== this.solution.join();
    const back = () => {
      let common = 0;
      while (common < this.line.place && this.line.moves[common] === this.solution[common]) common += 1;
      this.line.follow(this.solution, common);
      this.refresh();
    };
    refill(this.place, [
      h('p', { class: 'line-name' }, t(away ? 'explore.branch' : 'explore.solution')),
      moveLine(this.line, (place) => this.walk(place)),
      away ? button(t('explore.back'), back, { class: 'button small' }) : '',
    ]);
  }
}
