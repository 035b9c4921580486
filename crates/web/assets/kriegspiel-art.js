/** Chess men as symbols, drawn for this site. A man stands in a box as wide and high as a ghost's. */

import { s } from './dom.js';
import { t } from './words.js';

/** What a man stands on. */
const FOOT = 'M-15 21q0-5 4-6h22q4 1 4 6z';

/** For each man its shapes, filled, and lines inside them, from foot to head. */
const SHAPES = {
  p: { bodies: ['M-13 21q0-4 4-5q6-5 5-13h8q-1 8 5 13q4 1 4 5z', 'M0-14a8 8 0 0 1 4.5 14.6h-9a8 8 0 0 1 4.5-14.6z'], lines: ['M-9 16h18'] },
  r: { bodies: ['M-11 15l2-20h18l2 20z', 'M-13-5v-14h6v5h4v-5h6v5h4v-5h6v14z', FOOT], lines: ['M-9-5h18M-11 15h22'] },
  n: { bodies: ['M-10 15q0-8 6-14q-5 1-8 5q-5 0-6-4q4-6 6-13q3-5 7-7l1-5q4 2 5 5q11 4 12 19q0 8-2 14z', FOOT], lines: ['M4-13q6 4 7 14', 'M-11 15h22'], eye: { cx: -4, cy: -9, r: 1.7 } },
  b: { bodies: ['M-8 15q2-4-1-8q-4-5-2-11q3-8 11-15q8 7 11 15q2 6-2 11q-3 4-1 8z', 'M0-24.5a3 3 0 0 1 0 6a3 3 0 0 1 0-6z', FOOT], lines: ['M0-13v10M-5-8h10', 'M-9 7h18M-11 15h22'] },
  q: { bodies: ['M-10 15l-8-27l8 12l1-17l9 15l9-15l1 17l8-12l-8 27z', 'M-18-15.5a2.7 2.7 0 1 1-.1 0z', 'M18-15.5a2.7 2.7 0 1 1-.1 0z', 'M-9-21a2.7 2.7 0 1 1-.1 0z', 'M9-21a2.7 2.7 0 1 1-.1 0z', FOOT], lines: ['M-11 9q11-4 22 0', 'M-11 15h22'] },
  k: { bodies: ['M-10 15l-5-11q-4-10 4-12q7-1 11 6q4-7 11-6q8 2 4 12l-5 11z', 'M0-3q-5-6-3-10h6q2 4-3 10z', 'M-1.8-24h3.6v3.5h3.7v3.6h-3.7v4h-3.6v-4h-3.7v-3.6h3.7z', FOOT], lines: ['M-11 9q11-4 22 0', 'M-11 15h22'] },
};

/** Enemy men and own ones, from the one that is worth most. */
export const MEN = ['k', 'q', 'r', 'b', 'n', 'p'];

/** Letters of men that are only noted start like this. */
const NOTED = '?';

export const noteOf = (letter) => NOTED + letter;
export const isNote = (letter) => letter.startsWith(NOTED);

const idOf = (letter) => `man-${letter === letter.toLowerCase() ? 'black' : 'white'}-${letter.toLowerCase()}`;

/** The id of the symbol of a man, noted or real. */
export const manSymbol = (letter) => (isNote(letter) ? `${idOf(letter.slice(1))}-noted` : idOf(letter));

/** A man in words. */
export function manName(letter) {
  if (isNote(letter)) return t('game.noted', { piece: manName(letter.slice(1)) });
  const piece = t(`game.piece.${letter.toLowerCase()}`);
  return t(letter === letter.toLowerCase() ? 'game.black-man' : 'game.white-man', { piece });
}

function drawing(letter) {
  const { bodies, lines, eye } = SHAPES[letter.toLowerCase()];
  const colour = letter === letter.toLowerCase() ? 'man-black' : 'man-white';
  return s('g', { class: `man ${colour}` },
    bodies.map((d) => s('path', { class: 'man-body', d })),
    lines.map((d) => s('path', { class: 'man-line', d })),
    eye && s('circle', { class: 'man-eye', ...eye }));
}

const box = { viewBox: '-21 -26 42 50' };

/** Puts the symbols of all men into the page, once. */
export function addMen() {
  if (document.getElementById('men')) return;
  const letters = MEN.flatMap((letter) => [letter, letter.toUpperCase()]);
  document.body.prepend(s('svg', { id: 'men', class: 'symbols', width: 0, height: 0, 'aria-hidden': 'true' },
    letters.map((letter) => s('symbol', { id: manSymbol(letter), ...box }, drawing(letter))),
    letters.map((letter) => s('symbol', { id: manSymbol(noteOf(letter)), ...box }, s('g', { class: 'man-noted' }, drawing(letter))))));
}

/** A man by itself. */
export const man = (letter, className = 'man-icon') =>
  s('svg', { ...box, class: className, 'aria-hidden': 'true' },
    s('use', { href: `#${manSymbol(letter)}`, x: -21, y: -26, width: 42, height: 50 }));
