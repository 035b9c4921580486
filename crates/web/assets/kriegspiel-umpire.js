/** What the umpire of a game of Kriegspiel says, in words. */

import { sentences, t } from './words.js';

/** A try as it is read: "e2–e4", "e7–e8 queen". */
export function tryText(attempt) {
  const way = `${attempt.slice(0, 2)}–${attempt.slice(2, 4)}`;
  return attempt.length > 4 ? t('game.promotes', { way, piece: t(`game.piece.${attempt[4]}`) }) : way;
}

const OTHER = { white: 'second', black: 'first' };

/** Everything that was announced after a move of one side, sentence by sentence. */
export function heardText({ by, heard }) {
  const { capture, capture_square: square, checks, pawn_tries: tries, end } = heard;
  return [
    capture && t(`game.captured.${capture}`, { square }),
    ...checks.map((check) => t(`game.check.${check}`)),
    tries > 0 && t('game.pawn-tries', { n: tries, side: t(`game.seat.kriegspiel.${OTHER[by]}`) }),
    end && t(`game.umpire.${end}`),
  ].filter(Boolean);
}

/** The same as one text; that nothing was announced, if that is so. */
export const saidAfter = (entry) => sentences(heardText(entry)) || t('game.umpire.nothing');

/** One line of the log: who tried what, and what was said. */
export function logText(entry) {
  const { by, try: attempt, heard } = entry;
  if (!heard) return t('game.log-illegal', { move: tryText(attempt) });
  const who = attempt ? t('game.log-own', { move: tryText(attempt) }) : t(`game.moved.${by}`);
  return sentences([who, ...heardText(entry)]);
}

/** The log by turns: a number for each pair of moves, with the tries that came before them. */
export function numbered(log) {
  const moves = [];
  let number = 1;
  for (const entry of log) {
    moves.push({ number, entry });
    if (entry.heard && entry.by === 'black') number += 1;
  }
  return moves;
}

/**
 * What matters now to the one who looks: the words about the last move, or about a try that failed.
 * @returns {{kind?: string, title?: string, lines: string[]}}
 */
export function newsOf(view) {
  const last = view.kriegspiel.log.at(-1);
  if (!last) return { lines: [] };
  if (!last.heard) {
    const before = view.kriegspiel.log.findLast((entry) => entry.heard);
    return {
      kind: 'longer', title: t('game.illegal', { move: tryText(last.try) }),
      lines: [t('game.try-again'), ...(before ? heardText(before) : [])],
    };
  }
  const { checks, pawn_tries: tries } = last.heard;
  const urgent = view.your_turn && (checks.length > 0 || tries > 0);
  return { kind: urgent ? 'longer' : 'info', lines: heardText(last) };
}
