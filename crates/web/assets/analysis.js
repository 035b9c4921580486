/** The analysis page: any position, every move with its value, for both sides. */

import { get } from './api.js';
import { Board, palette } from './board.js';
import { button, h, playPlaces, refill } from './dom.js';
import { moveLine, playbackButtons } from './explore.js';
import { Line } from './line.js';
import { exitsOf, formatPosition, isOwn } from './position.js';
import { badgesOf, moveTable, verdictKind, verdictText } from './values.js';
import { moveText, t } from './words.js';

/** The maximum number of ghosts of one colour on a side. */
const MOST = 4;
/** How long a change of the set-up rests before the server is asked, in milliseconds. */
const REST = 250;
const LETTERS = ['B', 'R', 'b', 'r', 'u'];
/** Shown where the page names no position. */
const EXAMPLE = '6/4u1/B5/6/6/Ru4 1';
/** What the page can show without asking; any other text is for the server to read or refuse. */
const ROWS = /^[1-9BRbru]+(\/[1-9BRbru]+)+ \d+$/;
const MOVE = /^[a-z]\d+([a-z]\d+|-out)$/;

class Analysis {
  constructor(main) {
    const { position, moves } = main.dataset;
    const readable = ROWS.test(position ?? '');
    const made = readable ? (moves ?? '').split(/[\s,]+/).filter((move) => MOVE.test(move)) : [];
    this.line = new Line(readable ? position : EXAMPLE, made);
    this.line.go(this.line.moves.length);
    this.blue = this.line.states[0].blue;
    this.buildPage(main);
    const { columns, rows } = this.line.states[0];
    this.board = new Board(this.boardPlace, {
      columns, rows, exits: exitsOf(columns, rows), letters: LETTERS,
      onMove: (move) => this.enter(move),
      onEdit: (pieces) => this.changed(pieces),
    });
    this.setUp.prepend(palette(this.board, LETTERS));
    this.setMode('play');
    if (position && !readable) {
      this.text.value = position;
      this.readText();
    }
  }

  buildPage(main) {
    Object.assign(this, playPlaces(main));

    this.tabs = ['play', 'set-up'].map((mode) => button(t(`analysis.${mode}`), () => this.setMode(mode), { class: 'segment' }));
    this.verdict = h('p', { class: 'verdict', role: 'status' });
    this.lineBox = h('div', { class: 'explore-line' });
    this.moves = h('div', {});
    this.best = h('p', { class: 'note' });
    this.walking = h('div', {}, playbackButtons((where) => this.go(where)), this.lineBox);
    this.buildSetUp();
    this.text = h('input', { id: 'position-text', class: 'text-field', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': 'position-error' });
    this.error = h('p', { id: 'position-error', class: 'field-error', role: 'alert' });
    this.save = h('a', { class: 'button', download: 'geister.svg' }, t('analysis.save'));
    this.copied = h('span', { class: 'note', role: 'status' });
    this.panel.replaceChildren(
      h('div', { class: 'segments', role: 'group', 'aria-label': t('analysis.mode') }, this.tabs),
      this.setUp, this.verdict, this.best, this.walking, this.moves,
      h('form', { class: 'text-form', onsubmit: (event) => { event.preventDefault(); this.readText(); } },
        h('label', { for: 'position-text' }, t('analysis.text')),
        h('div', { class: 'field-row' }, this.text, h('button', { class: 'button' }, t('analysis.apply'))),
        this.error),
      h('div', { class: 'actions' }, button(t('analysis.copy'), () => this.copyLink()), this.save, this.copied));
  }

  buildSetUp() {
    this.blueField = h('input', { type: 'number', id: 'blue-count', min: 0, max: MOST, class: 'number-field', onchange: () => {
      this.blue = Number(this.blueField.value);
      this.changed(this.board.view.pieces);
    } });
    this.counts = h('p', { class: 'note' });
    this.setUp = h('div', { class: 'set-up' },
      h('p', { class: 'note' }, t('analysis.set-up-help')),
      h('div', { class: 'field-row' }, h('label', { for: 'blue-count' }, t('analysis.blue-count')), this.blueField),
      this.counts,
      button(t('analysis.clear'), () => {
        this.board.show({ pieces: new Map() });
        this.changed(new Map());
      }));
  }

  setMode(mode) {
    this.mode = mode;
    const editing = mode === 'set-up';
    this.tabs.forEach((tab, index) => tab.setAttribute('aria-pressed', String((index === 1) === editing)));
    this.setUp.hidden = !editing;
    this.walking.hidden = editing;
    this.clearError();
    if (editing && this.line.place > 0) this.startFromHere();
    this.board.edit(editing);
    this.refresh();
  }

  /** A position in the making starts from what the board shows. */
  startFromHere() {
    const { pieces, blue, columns, rows } = this.line.states[this.line.place];
    this.blue = blue;
    this.line = new Line(formatPosition(pieces, blue, columns, rows));
  }

  /** The set-up was changed by hand. */
  changed(pieces) {
    const theirs = [...pieces.values()].filter((letter) => !isOwn(letter));
    const shown = (letter) => theirs.filter((other) => other === letter).length;
    // What is shown on the board cannot be contradicted by the number.
    const least = Math.max(shown('b'), theirs.length - MOST, 0);
    const most = Math.min(theirs.length - shown('r'), MOST);
    this.blue = Math.max(least, Math.min(most, this.blue));
    const { columns, rows } = this.line.states[0];
    this.line = new Line(formatPosition(pieces, this.blue, columns, rows));
    this.clearError();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.refresh(), REST);
    this.showSetUp();
  }

  showSetUp() {
    const { pieces, blue, red } = this.line.states[this.line.place];
    const count = (letter) => [...pieces.values()].filter((other) => other === letter).length;
    this.blueField.value = blue;
    this.counts.textContent = t('analysis.counts', { ownBlue: count('B'), ownRed: count('R'), blue, red });
    this.board.view.tally = this.line.view().tally;
    this.board.drawTrays();
    if (document.activeElement !== this.text) this.text.value = this.currentText();
  }

  /** The last place so far whose position can be a text: the own side is to move, nothing is over. */
  textPlace() {
    const place = this.over ? this.line.place - 1 : this.line.place;
    return place - (place % 2);
  }

  currentText() {
    const { pieces, blue, columns, rows } = this.line.states[this.textPlace()];
    return formatPosition(pieces, blue, columns, rows);
  }

  clearError() {
    this.error.textContent = '';
    this.text.removeAttribute('aria-invalid');
  }

  async readText() {
    try {
      const { position } = await get('analysis', { position: this.text.value });
      this.clearError();
      this.line = new Line(position);
      this.blue = this.line.states[0].blue;
      this.text.blur();
      this.refresh();
    } catch (error) {
      this.error.textContent = error.message;
      this.text.setAttribute('aria-invalid', 'true');
    }
  }

  async enter(move) {
    this.line.step(move);
    await this.board.play(this.line.events[this.line.place - 1], { tally: this.line.view().tally });
    this.refresh();
  }

  go(where) {
    const { place, moves } = this.line;
    this.walk({ first: 0, previous: place - 1, next: place + 1, last: moves.length }[where]);
  }

  walk(place) {
    this.line.go(place);
    this.refresh();
  }

  /** Shows the place on the line, and what the server says of it. */
  async refresh() {
    const { line } = this;
    this.over = false;
    this.board.show(line.view());
    this.showSetUp();
    refill(this.lineBox, [moveLine(line, (place) => this.walk(place))]);
    this.keepAddress();
    this.asking?.abort();
    this.asking = new AbortController();
    this.verdict.className = 'verdict waiting';
    try {
      const analysis = await line.analysis(this.asking.signal);
      if (this.line !== line) return;
      this.showAnalysis(analysis);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.verdict.className = 'verdict error';
      this.verdict.textContent = error.message;
      this.best.textContent = '';
      this.moves.replaceChildren();
    }
  }

  showAnalysis(analysis) {
    this.over = analysis.verdict === 'over' && this.line.place > 0;
    if (this.over) {
      this.showSetUp();
      this.keepAddress();
    }
    this.verdict.className = `verdict ${verdictKind(analysis)}`;
    this.verdict.textContent = verdictText(analysis);
    const parts = [
      analysis.line.length > 0 && `${t('analysis.line')} ${analysis.line.map((move) => moveText(move)).join(' ')}`,
      analysis.tablebase && t('analysis.tablebase'),
    ];
    this.best.textContent = parts.filter(Boolean).join(' · ');
    const table = analysis.moves.length ? [moveTable(analysis, (entry) => this.enter(entry.move))] : [];
    refill(this.moves, table, () => this.board.focusCell(this.board.cursor));
    if (this.mode === 'play' && !this.board.pending) {
      this.board.show({ legal: analysis.moves.map(({ move }) => move), badges: badgesOf(analysis) });
    }
  }

  /** The address of the page always leads back to what it shows. */
  keepAddress() {
    const query = new URLSearchParams({ position: this.line.start });
    if (this.line.place > 0) query.set('moves', this.line.played.join(','));
    history.replaceState(null, '', `/analysis?${query}`);
    const picture = new URLSearchParams({ position: this.currentText() });
    const marked = this.line.played[this.textPlace()];
    if (marked) picture.set('marks', marked);
    this.save.href = `/api/v1/board.svg?${picture}`;
    this.copied.textContent = '';
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.copied.textContent = t('analysis.copied');
    } catch {
      this.copied.textContent = location.href;
    }
  }
}

const main = document.getElementById('analysis');
if (main) new Analysis(main);
