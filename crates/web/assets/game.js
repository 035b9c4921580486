/**
 * A whole game: against a program, between two people, or watched. The server keeps it and says what
 * each seat may know; this module shows what it says. What differs between games is in the module of
 * each game, `NAME-game.js`, which exports a class `Table`:
 *
 * - `board`: the board on the page
 * - `show(view, before)`: shows a view, given the one before it
 * - `settle(view)`: shows the position as it is; a move by hand that was not played goes back
 * - `actions(view)`: buttons beside the board
 * - `news(view)`: what to tell besides whose turn it is: `{kind, title, lines}`
 * - `course(view)`: a finished game for the replay, see `replay.js`; null if there is nothing to replay
 */

import { get, post } from './api.js';
import { button, h, playPlaces, refill } from './dom.js';
import { shareLinks } from './game-invite.js';
import { News } from './game-news.js';
import { endText, otherSeat, playerName, seatName, turnText } from './game-words.js';
import { t } from './words.js';

/** How often a request is repeated that collided with another change. */
const TRIES = 4;

class GamePage {
  constructor(main, Table) {
    const { game, invite } = main.dataset;
    this.game = game;
    this.invite = invite ?? null;
    this.view = null;
    this.next = null;
    this.asked = false;
    this.replayed = false;
    this.title = document.title;
    this.buildPage(main);
    this.table = new Table(this);
    this.news = new News(game, (view) => this.accept(view), (heard) => this.showConnection(heard));
  }

  buildPage(main) {
    Object.assign(this, playPlaces(main));
    this.players = h('ul', { class: 'players' });
    this.status = h('div', { class: 'status', role: 'status', 'aria-live': 'polite' });
    this.connection = h('p', { class: 'note connection', role: 'status' });
    this.actions = h('div', { class: 'actions' });
    this.links = h('div', {});
    this.details = h('div', { class: 'details' });
    this.tools = h('div', { class: 'tools' });
    this.replay = h('div', { class: 'replay' });
    this.panel.replaceChildren(
      this.players, this.status, this.connection, this.actions, this.links, this.replay, this.details, this.tools);
  }

  showConnection(heard) {
    const text = heard ? '' : t('game.connection-lost');
    if (this.connection.textContent !== text) this.connection.textContent = text;
  }

  /** Shows a view after those that are still being shown; of several that wait only the last. */
  async accept(view) {
    this.next = view;
    if (this.showing) return;
    this.showing = true;
    try {
      while (this.next) await this.show(this.takeNext());
    } finally {
      this.showing = false;
      this.panel.removeAttribute('aria-busy');
    }
  }

  takeNext() {
    const view = this.next;
    this.next = null;
    return view;
  }

  async show(view) {
    const before = this.view;
    // A view that comes twice must not take a piece out of somebody's hand.
    if (JSON.stringify(before) === JSON.stringify(view)) return;
    this.view = view;
    // Somebody who looks at another page meanwhile sees by the name of this one when to come back.
    document.title = view.your_turn ? `● ${this.title}` : this.title;
    this.showPlayers();
    this.showLinks();
    await this.table.show(view, before);
    this.showStatus();
    this.showActions();
    this.showTools();
    if (view.stage === 'over') await this.openReplay();
  }

  showPlayers() {
    const { view } = this;
    const one = (seat) => h('li', { class: 'player', 'aria-current': view.turn === seat ? 'true' : null },
      h('span', { class: `seat seat-${view.kind}-${seat}` }, seatName(view, seat)),
      h('strong', {}, playerName(view, seat)));
    this.players.replaceChildren(one('first'), one('second'));
  }

  showLinks() {
    const { stage, invite } = this.view;
    const wanted = stage === 'waiting' && invite !== null;
    // Once shown it stays as it is, or somebody who selects it would lose the selection.
    if (wanted && !this.links.hasChildNodes()) this.links.replaceChildren(shareLinks(this.view));
    if (!wanted) refill(this.links, [], () => this.focusBoard());
  }

  /** Shows a message above the buttons; the same message is not announced twice. */
  say(kind, title, lines = []) {
    const message = JSON.stringify([kind, title, lines]);
    if (this.message === message) return;
    this.message = message;
    this.status.className = `status ${kind}`;
    this.status.replaceChildren(
      h('p', { class: 'status-title' }, title), ...lines.filter(Boolean).map((line) => h('p', {}, line)));
  }

  showStatus() {
    const { view } = this;
    if (view.stage === 'over') {
      const { kind, title, why } = endText(view);
      this.say(kind, title, [why]);
    } else if (view.stage === 'playing') {
      const { kind = 'info', title = turnText(view), lines = [] } = this.table.news(view);
      this.say(kind, title, [...lines, this.cameTooLate() && t('error.no-free-seat')]);
    } else {
      this.say('info', ...this.beforeTheGame());
    }
  }

  /** What is still to be done before the first move. */
  beforeTheGame() {
    const { view } = this;
    const own = view.players.find((player) => player.you);
    const lines = view.stage === 'waiting' ? [t(view.invite ? 'game.waiting-link' : 'game.waiting-seat')] : [];
    if (own && !own.ready) return [t('game.set-up'), [t('game.set-up-how'), ...lines]];
    if (view.stage === 'waiting') return [t('game.waiting'), lines];
    return [t(own ? 'game.waiting-set-up' : 'game.they-set-up'), []];
  }

  canJoin() {
    return this.invite !== null && this.view.role === 'spectator' && this.view.stage === 'waiting';
  }

  /** Whether somebody came to play where others do by now. */
  cameTooLate() {
    return this.invite !== null && this.view.role === 'spectator';
  }

  /** What there is to do now: join, set up, choose a piece, play again. */
  showActions() {
    const { view } = this;
    const join = button(t('game.join'), () => this.join(), { class: 'button primary' });
    const buttons = this.canJoin() ? [join] : view.stage === 'over' ? this.endButtons() : this.table.actions(view);
    refill(this.actions, buttons, () => this.focusBoard());
  }

  endButtons() {
    const again = button(t('game.again'), () => this.playAgain(), { class: 'button primary' });
    const anew = h('a', { class: 'button', href: '/play' }, t('game.new'));
    return this.view.role === 'spectator' ? [anew] : [again, anew];
  }

  /** The buttons to take back and to resign; resigning needs a confirmation. */
  showTools() {
    const { view } = this;
    const plays = view.role !== 'spectator' && view.stage !== 'over';
    if (!plays) this.asked = false;
    const back = view.can_undo ? [button(t('action.take-back'), () => this.send('undo'))] : [];
    refill(this.tools, plays ? [...back, ...this.resignButtons()] : [], () => this.focusBoard());
  }

  resignButtons() {
    if (!this.asked) return [button(t('game.resign'), () => this.askResign(true), { class: 'button quiet' })];
    return [
      button(t('game.resign-really'), () => this.resign(), { class: 'button danger' }),
      button(t('game.resign-not'), () => this.askResign(false)),
    ];
  }

  askResign(asked) {
    this.asked = asked;
    this.showTools();
    if (asked) this.tools.querySelector('.danger').focus();
  }

  resign() {
    this.asked = false;
    return this.send('resign');
  }

  focusBoard() {
    this.table.board?.focusCell(this.table.board.cursor);
  }

  /**
   * Asks the server to change the game, and shows the result. If another change came first, such as a
   * program's move, the request is repeated.
   */
  send(action, body = {}, options = {}) {
    return this.guard(() => this.news.after(() => this.change(action, body, options)));
  }

  async change(action, body, options) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await post(`games/${this.game}/${action}`, body, options);
      } catch (error) {
        if (error.code !== 'changed' || tries >= TRIES) throw error;
      }
    }
  }

  /** Runs work that calls the server; an error is shown, and the board is restored. */
  async guard(work) {
    this.panel.setAttribute('aria-busy', 'true');
    try {
      await work();
    } catch (error) {
      if (!error.code) throw error;
      this.table.settle(this.view);
      this.say('error', error.message);
      const again = button(t('error.again'), () => this.guard(() => this.reload()));
      refill(this.actions, [again], () => this.focusBoard());
    } finally {
      if (!this.showing) this.panel.removeAttribute('aria-busy');
    }
  }

  /** Gets the current state and shows it. */
  async reload() {
    const view = await get(`games/${this.game}`);
    this.view = null;
    this.news.update(view);
  }

  join() {
    return this.guard(async () => {
      await this.news.after(() => post(`games/${this.game}/join`, { invite: this.invite }, { again: true }));
      history.replaceState(null, '', `/game/${this.game}`);
    });
  }

  /** A rematch with swapped sides. */
  playAgain() {
    const { kind, role, players } = this.view;
    const seat = otherSeat(role);
    const opponent = players.find((player) => !player.you).program;
    return this.guard(async () => {
      const { game } = await post('games', { kind, opponent, seat });
      location.assign(`/game/${game}`);
    });
  }

  /** Opened once; its module is not needed before the end. */
  async openReplay() {
    if (this.replayed) return;
    this.replayed = true;
    const { openReplay } = await import('./replay.js');
    const { view, table: { board }, boardPlace, replay: panel } = this;
    openReplay({ game: view, course: this.table.course(view), board, boardPlace, panel });
  }
}

const main = document.getElementById('game');
if (main) {
  const { Table } = await import(`./${main.dataset.kind}-game.js`);
  new GamePage(main, Table);
}
