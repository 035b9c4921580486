/** What to learn from a game: where it turned, and which wins were missed. */

import { post } from './api.js';
import { button, h } from './dom.js';
import { gap, moveText, sentences, t, winLength } from './words.js';

/** The move that led to a place. */
function after(place, plies) {
  if (place === 0) return t('replay.at-start');
  return place >= plies ? t('replay.at-end') : t('replay.move', { n: place });
}

/** The kind of a turning point; null stands for a way that was not found. */
function turnKind({ rise, from, to }) {
  if (to === 0) return 'sight';
  if (!rise) return from === null ? 'open' : 'fall';
  if (from === 0) return 'slip';
  return to === null ? 'closed' : 'rise';
}

/** A sentence about a turning point. */
function turnText(turn, own, name) {
  const key = `replay.turn.${own ? 'own' : 'other'}.${turnKind(turn)}`;
  return t(key, { name, from: turn.from ?? '∞', to: turn.to ?? '∞' });
}

/**
 * Where the game turned, in its order; each is a button that goes there.
 * @param {Object} scene
 * @param {Object[]} scene.seats the review of both seats
 * @param {number} scene.own the seat that is called "you", or -1
 * @param {number} scene.bottom the seat that is at the bottom at first
 * @param {string[]} scene.names
 * @param {number} scene.plies
 * @param {(place: number) => void} onPick
 */
export function turningPoints({ seats, own, bottom, names, plies }, onPick) {
  const all = seats.flatMap(({ turning }, seat) => turning.map((turn) => ({ turn, seat })));
  if (all.length === 0) return h('p', { class: 'note' }, t('replay.turn.none'));
  all.sort((a, b) => a.turn.ply - b.turn.ply || a.seat - b.seat);
  return h('ol', { class: 'move-table turnings' }, all.map(({ turn, seat }) => h('li', {},
    h('button', { type: 'button', class: `move-value ${seat === bottom ? 'line-own' : 'line-other'}`, onclick: () => onPick(turn.ply) },
      h('span', { class: 'move' }, after(turn.ply, plies)),
      h('span', {}, turnText(turn, seat === own, names[seat]))))));
}

/** A sentence about a missed win, its moves as these eyes see them. */
function missedText({ kind, own, names, course }, { seat, miss }, eyes) {
  const read = (move) => moveText(course.seenMove(move, seat, eyes));
  const key = `replay.missed.${kind}.${seat === own ? 'own' : 'other'}`;
  return t(key, { name: names[seat], ...winLength(miss.plies), move: read(miss.move), played: read(miss.played) });
}

/** Asks for a puzzle out of a missed win and goes there. */
async function makePuzzle(game, seat, ply, element, say) {
  element.disabled = true;
  try {
    const { puzzle } = await post(`games/${game}/puzzle`, { ply, seat: ['first', 'second'][seat] });
    location.assign(`/puzzle/${puzzle}`);
  } catch (error) {
    element.disabled = false;
    say(error.message);
  }
}

/**
 * Proven wins that were given away, and how often one was kept.
 * @param {Object} scene like that of `turningPoints`, with `game` (its id), `kind` and `course`
 * @param {import('./replay.js').Eyes} eyes
 * @param {(seat: number, miss: Object) => void} onShow
 */
export function missedWins(scene, eyes, onShow) {
  const { seats, own, names, course, game } = scene;
  const all = seats.flatMap(({ missed }, seat) => missed.map((miss) => ({ seat, miss })));
  all.sort((a, b) => a.miss.ply - b.miss.ply);
  const item = (one) => {
    const { seat, miss } = one;
    const trouble = h('p', { class: 'field-error', role: 'alert' });
    const say = (text) => { trouble.textContent = text; };
    const label = t('replay.at-move', { n: miss.ply + 1 });
    const named = (key) => ({ class: 'button small', 'aria-label': sentences([label, t(key)]) });
    return h('li', {},
      h('p', {}, h('strong', {}, label), gap, missedText(scene, one, eyes)),
      h('div', { class: 'tools' },
        button(t('replay.show'), () => onShow(seat, miss), named('replay.show')),
        course.hasPuzzles && button(t('replay.puzzle'), (event) => makePuzzle(game, seat, miss.ply, event.currentTarget, say), named('replay.puzzle')),
        course.hasPuzzles && h('a', { href: `/analysis?position=${encodeURIComponent(miss.position)}`, ...named('replay.analyse') }, t('replay.analyse'))),
      trouble);
  };
  const kept = seats.map((seat, index) => seat.kept > 0
    && h('p', { class: 'note' }, t(`replay.kept.${index === own ? 'own' : 'other'}`, { name: names[index], n: seat.kept })));
  return [
    all.length > 0 ? h('ul', { class: 'missed' }, all.map(item)) : h('p', { class: 'note' }, t('replay.missed.none')),
    ...kept.filter(Boolean),
  ];
}
