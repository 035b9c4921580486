/** The values of moves and positions as text: for lists and for the badges on the board. */

import { h } from './dom.js';
import { moveText, t, winLength } from './words.js';

/**
 * The value of a move in the analysis of a position with this side to move.
 * @returns {{text: string, short: string, kind: 'win'|'no-win'|'unknown'}}
 */
export function valueOf({ verdict, plies, depth, never }, turn) {
  const length = winLength(plies ?? depth ?? 0, turn);
  if (verdict === 'win') return { text: t('value.win', length), short: t('value.short', length), kind: 'win' };
  if (verdict === 'unknown') return { text: t('value.unknown', length), short: '?', kind: 'unknown' };
  const text = never || depth === null || depth === undefined ? t('value.never') : t('value.no-win', length);
  return { text, short: '–', kind: 'no-win' };
}

/** The verdict on a whole position, a sentence. */
export function verdictText(analysis) {
  const { verdict, turn, plies, depth, never, winner } = analysis;
  if (verdict === 'over') return t(winner ? `verdict.over.${winner}` : 'verdict.over');
  const length = winLength(plies ?? depth ?? 0, turn);
  if (verdict === 'win') return t(`verdict.win.${turn}`, length);
  if (verdict === 'unknown') return t('verdict.unknown', length);
  return never ? t('verdict.never') : t('verdict.no-win', length);
}

/** The kind of a verdict, for its colour. */
export const verdictKind = ({ verdict, winner }) =>
  verdict === 'over' ? (winner === 'own' ? 'win' : 'no-win') : verdict;

const RANK = { win: 0, unknown: 1, 'no-win': 2 };

/** The moves, the best of the side to move first. */
function ranked({ moves, turn }) {
  const forOwn = (a, b) => RANK[a.verdict] - RANK[b.verdict] || (a.plies ?? 0) - (b.plies ?? 0);
  const order = turn === 'own' ? forOwn : (a, b) => forOwn(b, a);
  return [...moves].sort((a, b) => Number(b.best) - Number(a.best) || order(a, b));
}

/**
 * Every move with its value, to click into.
 * @param {Object} analysis
 * @param {(entry: Object) => void} onPick
 */
export function moveTable(analysis, onPick) {
  const row = (entry) => {
    const { text, kind } = valueOf(entry, analysis.turn);
    const captures = Boolean(entry.event?.captured);
    return h('li', {},
      h('button', { type: 'button', class: `move-value ${kind}`, onclick: () => onPick(entry) },
        h('span', { class: 'move' }, moveText(entry.move, captures)),
        h('span', { class: 'value' }, text),
        entry.best && h('span', { class: 'best', title: t('value.best') }, '★', h('span', { class: 'unseen' }, t('value.best')))));
  };
  return h('ul', { class: 'move-table', 'aria-label': t('explore.moves') }, ranked(analysis).map(row));
}

/** Badges with the values for the board. */
export const badgesOf = (analysis) => analysis.moves.map((entry) => {
  const { short, kind } = valueOf(entry, analysis.turn);
  return { move: entry.move, text: short, kind: entry.best ? `${kind} best` : kind };
});
