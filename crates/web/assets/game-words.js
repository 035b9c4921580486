/** Who plays, and how a game ended, in words. */

import { t } from './words.js';

const SEATS = ['first', 'second'];

/** The player on a seat. */
const playerOn = (view, seat) => view.players[SEATS.indexOf(seat)];

/** The other seat. */
export const otherSeat = (seat) => (seat === 'first' ? 'second' : 'first');

/** What a seat is called in a game. */
export const seatName = (view, seat) => t(`game.seat.${view.kind}.${seat}`);

/** Who sits on a seat. Of two people that somebody watches, the seat says which is which. */
export function playerName(view, seat) {
  const player = playerOn(view, seat);
  if (player.you) return t('game.you');
  if (player.program) return t(`opponent.${player.program}`);
  return t(player.taken ? 'game.person' : 'game.nobody');
}

/** The same where a sentence starts with it. */
function subject(view, seat) {
  const { program } = playerOn(view, seat);
  return program ? t(`opponent.${program}`) : seatName(view, seat);
}

/** Whose turn it is. */
export function turnText(view) {
  if (view.your_turn) return t('game.your-turn');
  if (playerOn(view, view.turn).program) return t('game.thinks', { name: subject(view, view.turn) });
  if (view.role === 'spectator') return t('game.turn-of', { name: subject(view, view.turn) });
  return t('game.their-turn');
}

/**
 * How a game ended, for the one who looks at it.
 * @returns {{kind: string, title: string, why: string}}
 */
export function endText(view) {
  const { how, winner } = view.end;
  if (!winner) return { kind: 'info', title: t('game.drawn'), why: t(`game.how.drawn.${how}`) };
  if (view.role === 'spectator') {
    const name = subject(view, winner);
    return { kind: 'info', title: t('game.has-won', { name }), why: t(`game.how.seen.${how}`) };
  }
  const won = winner === view.role;
  return { kind: won ? 'right' : 'lost', title: t(won ? 'game.won' : 'game.lost'), why: t(`game.how.${won ? 'won' : 'lost'}.${how}`) };
}
