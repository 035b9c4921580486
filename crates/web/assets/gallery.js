/** Records of the tablebases: each is put on the board, played through, and can be tried by hand. */

import { Board } from './board.js';
import { playPlaces } from './dom.js';
import { Explorer } from './explore.js';
import { exitsOf, parsePosition } from './position.js';

const main = document.getElementById('gallery');
const { boardPlace, panel } = playPlaces(main);
const records = [...main.querySelectorAll('.record')];

/** Puts a record on the board. */
function open(record) {
  for (const one of records) one.setAttribute('aria-pressed', String(one === record));
  const { position, line } = record.dataset;
  const { columns, rows } = parsePosition(position);
  const board = new Board(boardPlace, { columns, rows, exits: exitsOf(columns, rows) });
  new Explorer(board, panel, position, line.split(' '));
}

for (const record of records) record.addEventListener('click', () => open(record));
open(records[0]);
