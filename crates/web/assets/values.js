/** What moves are worth, in words: for lists and for the signs on the board. */

import { h } from './dom.js';
import { moveText, t } from './words.js';

/**
 * The value of a move or of a position, as an analysis tells it.
 * @returns {{text: string, short: string, kind: 'win'|'no-win'|'unknown'}}
 */
export function valueOf({ verdict, plies, depth, never }) {
  if (verdict === 'win') return { text: t('value.win', { n: plies }), short: String(plies), kind: 'win' };
  if (verdict === 'unknown') return { text: t('value.unknown', { n: depth ?? 0 }), short: '?', kind: 'unknown' };
  const text = never || depth === null || depth === undefined ? t('value.never') : t('value.no-win', { n: depth });
  return { text, short: '–', kind: 'no-win' };
}

/** The verdict on a whole position, a sentence. */
export function verdictText(analysis) {
  const { verdict, turn, plies, depth, never, winner } = analysis;
  if (verdict === 'over') return t(winner ? `verdict.over.${winner}` : 'verdict.over');
  if (verdict === 'win') return t(`verdict.win.${turn}`, { n: plies });
  if (verdict === 'unknown') return t('verdict.unknown', { n: depth ?? 0 });
  return never ? t('verdict.never') : t('verdict.no-win', { n: depth });
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
    const { text, kind } = valueOf(entry);
    const captures = Boolean(entry.event?.captured);
    return h('li', {},
      h('button', { type: 'button', class: `move-value ${kind}`, onclick: () => onPick(entry) },
        h('span', { class: 'move' }, moveText(entry.move, captures)),
        h('span', { class: 'value' }, text),
        entry.best && h('span', { class: 'best', title: t('value.best') }, '★', h('span', { class: 'unseen' }, t('value.best')))));
  };
  return h('ul', { class: 'move-table', 'aria-label': t('explore.moves') }, ranked(analysis).map(row));
}

/** Small signs with the values for the board. */
export const badgesOf = (analysis) => analysis.moves.map((entry) => {
  const { short, kind } = valueOf(entry);
  return { move: entry.move, text: short, kind: entry.best ? `${kind} best` : kind };
});
