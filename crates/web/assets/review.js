/** What the server makes of a finished game: curves, turning points, missed wins, beliefs. */

import { get } from './api.js';
import { anyBeliefs } from './beliefs.js';
import { Curves } from './curves.js';
import { button, h, refill } from './dom.js';
import { missedWins, turningPoints } from './lessons.js';
import { t } from './words.js';

/** How long to wait before asking again for a review that is not ready, in milliseconds. */
const PAUSE = 1500;

/** From this many seconds on, the wait is announced. */
const LONG_WAIT = 5;

export class Review {
  /** @param {import('./replay.js').Replay} replay whose places it leads to */
  constructor(replay) {
    this.replay = replay;
    this.game = replay.game;
    this.element = h('section', { class: 'replay-review' });
    this.missed = h('div', {});
    this.beliefs = h('div', { class: 'belief-legend' });
    this.believed = h('input', { type: 'checkbox', onchange: () => replay.show() });
  }

  say(...children) {
    this.element.replaceChildren(h('h2', {}, t('replay.review')), ...children);
  }

  /** Says that the review is not there yet. */
  wait(text) {
    this.say(h('p', { class: 'note thinking', role: 'status' }, text));
  }

  /** Asks until the review is there. */
  async ask() {
    this.wait(t('replay.thinking'));
    try {
      for (;;) {
        const answer = await get(`games/${this.game.game}/review`);
        // Whoever has left the page needs no review.
        if (!this.element.isConnected) return;
        if (answer.status === 'done') {
          this.draw(answer.seats);
          return;
        }
        if (answer.estimate_seconds >= LONG_WAIT) {
          this.wait(t('replay.thinking-for', { n: answer.estimate_seconds }));
        }
        await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
      }
    } catch (error) {
      this.say(h('p', { class: 'field-error', role: 'alert' }, error.message), button(t('error.again'), () => this.ask()));
    }
  }

  draw(seats) {
    const { game, replay } = this;
    const { names, own, course, place } = replay;
    const bottom = replay.choices[0].seat;
    const lines = [bottom, 1 - bottom].map((seat) => ({ ...seats[seat], name: names[seat] }));
    this.seats = seats;
    this.scene = { seats, names, own, bottom, course, plies: course.length, kind: game.kind, game: game.game };
    // A game without a measure of how near the goals were has no curves.
    const measured = seats.some(({ turns }) => turns.length > 0);
    if (measured) this.curves = new Curves({ lines, plies: course.length, place, onPlace: (to) => replay.point(to) });
    const wish = h('label', { class: 'switch' }, this.believed, t(`replay.belief.${game.kind}`));
    this.say(
      ...(anyBeliefs(seats) ? [wish, this.beliefs] : []),
      ...(measured ? [
        h('h3', {}, t('replay.curves')), this.curves.element,
        h('h3', {}, t('replay.turns')), turningPoints(this.scene, (to) => replay.jump(to)),
      ] : []),
      h('h3', {}, t('replay.missed')), this.missed);
    this.look(replay.eyes);
  }

  /** Tells the missed wins as these eyes see them. */
  look(eyes) {
    if (this.scene) refill(this.missed, missedWins(this.scene, eyes, (seat, miss) => this.replay.showMissed(seat, miss)));
  }

  /** Marks the place of the replay; what the board shows of beliefs there, if that is wanted. */
  at(place, eyes) {
    this.curves?.mark(place);
    if (!this.believed.checked) {
      this.beliefs.replaceChildren();
      return {};
    }
    const { game, seats, replay: { course, names } } = this;
    const view = course.beliefs(seats, place, eyes);
    this.beliefs.replaceChildren(...this.legend(view, { game, seats, eyes, names }));
    return view;
  }

  /** What the signs on the board mean; something else if there are none here. */
  legend({ labels = [], shades = [] }, scene) {
    const seen = [...labels, ...shades].some(({ kind }) => kind !== 'shade-heard');
    return seen ? this.replay.course.beliefLegend(scene) : [h('p', { class: 'note' }, t('replay.belief.none'))];
  }
}
