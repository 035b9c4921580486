/** What one side took the other's for: chances on ghosts, or squares where men may be. */

import { h } from './dom.js';
import { t } from './words.js';

/** What was believed at a place: before the other side's move, or, just after it, still the same. */
const lastBefore = (all, place) => all.find(({ ply }) => ply === place) ?? all.find(({ ply }) => ply === place - 1) ?? null;

/** Seats whose secrets are shown to these eyes. */
const seatsOf = ({ seat, open }) => (open ? [seat, 1 - seat] : [seat]);

/**
 * Labels with the chance that a ghost is blue.
 * @param {Object[]} seats the review of both seats
 * @param {import('./ghost-course.js').GhostCourse} course
 */
function ghostLabels(seats, course, place, eyes) {
  const { pieces } = course.view(place, { ...eyes, open: true });
  return seatsOf(eyes).flatMap((seat) => {
    const believed = lastBefore(seats[seat].beliefs ?? [], place);
    const own = (letter) => letter && (letter === letter.toUpperCase()) === (seat === eyes.seat);
    return Object.entries(believed?.blue ?? {})
      .map(([square, chance]) => ({ square: course.seenSquare(square, seat, eyes), chance }))
      .filter(({ square }) => own(pieces.get(square)))
      .map(({ square, chance }) => {
        const n = Math.round(100 * chance);
        return { square, text: `${n}%`, kind: chance >= 0.5 ? 'blue' : 'red', said: t('replay.belief.said', { n }) };
      });
  });
}

/** The squares of a set of bits, a1 first. */
function squaresOf(hex) {
  const bits = BigInt(`0x${hex}`);
  const all = Array.from({ length: 64 }, (_, index) => index).filter((index) => (bits >> BigInt(index)) & 1n);
  return all.map((index) => `${String.fromCharCode(97 + (index % 8))}${Math.floor(index / 8) + 1}`);
}

/** Shades on the squares where the other side expected men. */
function darkShades(seats, place, { seat }) {
  const known = lastBefore(seats[seat].knowledge ?? [], place);
  if (!known) return [];
  const sure = squaresOf(known.sure);
  const shade = (kind) => (square) => ({ square, kind: `shade-${kind}`, said: t(`replay.knowledge.${kind}`) });
  const possible = squaresOf(known.possible).filter((square) => !sure.includes(square));
  return [...sure.map(shade('sure')), ...possible.map(shade('possible'))];
}

/** What a board shows of beliefs at a place, besides the rest. */
export function believedView(kind, seats, course, place, eyes) {
  if (kind === 'geister') return { labels: ghostLabels(seats, course, place, eyes) };
  const { shades } = course.view(place, eyes);
  return { shades: [...darkShades(seats, place, eyes), ...shades] };
}

/** Whether anything was believed in this game. */
export const anyBeliefs = (seats) => seats.some((seat) => seat.beliefs?.length || seat.knowledge?.length);

/** Whose beliefs these are, about whom: a sentence. */
function believer(game, seats, about) {
  const other = game.players[1 - about];
  const by = seats[about].beliefs?.[0]?.by;
  if (!by) return null;
  const watched = !game.players.some(({ you }) => you);
  const words = { name: t(`opponent.${by}`), where: t(`replay.belief.${watched ? 'on-each' : other.you ? 'on-other' : 'on-own'}`) };
  if (other.program === by) return t('replay.belief.by', words);
  return other.you ? t('replay.belief.instead-you', words) : t('replay.belief.instead', words);
}

/** What the signs on the board mean to these eyes: sentences and samples. */
export function beliefLegend(game, seats, eyes, names, view) {
  const seen = [...(view.labels ?? []), ...(view.shades ?? [])].some(({ kind }) => kind !== 'shade-heard');
  if (!seen) return [h('p', { class: 'note' }, t('replay.belief.none'))];
  if (game.kind === 'geister') {
    const sentences = seatsOf(eyes).map((seat) => believer(game, seats, seat)).filter(Boolean);
    return [...new Set(sentences)].map((text) => h('p', { class: 'note' }, text));
  }
  const sample = (kind) => h('li', {}, h('span', { class: `sample shade-${kind}`, 'aria-hidden': 'true' }), t(`replay.knowledge.${kind}`));
  const whose = game.players[eyes.seat].you ? t('replay.knowledge.yours') : t('replay.knowledge.theirs', { name: names[eyes.seat] });
  return [h('p', { class: 'note' }, whose), h('ul', { class: 'legend' }, sample('sure'), sample('possible'))];
}
