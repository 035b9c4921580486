/**
 * What the page knows of a Geister position: where the ghosts stand. Which moves there are and who
 * wins is for the server to say.
 */

/** The doors of a board: the bottom side leaves by the top corners, the opponent by the bottom ones. */
export function exitsOf(columns, rows) {
  const last = String.fromCharCode(96 + columns);
  return [
    { square: `a${rows}`, up: true },
    { square: `${last}${rows}`, up: true },
    { square: 'a1', up: false },
    { square: `${last}1`, up: false },
  ];
}

/**
 * Reads `6/4u1/B5/6/6/Ru4 1`.
 * @param {string} text a position text that the server wrote
 * @returns {{columns: number, rows: number, pieces: Map<string, string>, blue: number, red: number}}
 */
export function parsePosition(text) {
  const [board, blueText] = text.trim().split(/\s+/);
  const lines = board.split('/');
  const pieces = new Map();
  let columns = 0;
  lines.forEach((line, index) => {
    let column = 0;
    for (const letter of line) {
      if (/\d/.test(letter)) {
        column += Number(letter);
      } else {
        pieces.set(`${String.fromCharCode(97 + column)}${lines.length - index}`, letter);
        column += 1;
      }
    }
    columns = Math.max(columns, column);
  });
  const blue = Number(blueText);
  const theirs = [...pieces.values()].filter((letter) => !isOwn(letter)).length;
  return { columns, rows: lines.length, pieces, blue, red: theirs - blue };
}

/**
 * Writes pieces as a position text.
 * @param {Map<string, string>} pieces
 * @param {number} blue how many of the opponent's ghosts are blue
 */
export function formatPosition(pieces, blue, columns = 6, rows = 6) {
  const lines = [];
  for (let row = rows; row >= 1; row -= 1) {
    let line = '';
    let empty = 0;
    for (let column = 0; column < columns; column += 1) {
      const letter = pieces.get(`${String.fromCharCode(97 + column)}${row}`);
      if (letter) {
        line += (empty || '') + letter;
        empty = 0;
      } else {
        empty += 1;
      }
    }
    lines.push(line + (empty || ''));
  }
  return `${lines.join('/')} ${blue}`;
}

/** Whether a ghost belongs to the bottom side. */
export const isOwn = (letter) => letter === 'B' || letter === 'R';

/** The two ends of `a4a5` or `a6-out`. */
export function endsOf(move) {
  const [, from, to] = /^([a-z]\d+)(.+)$/.exec(move);
  return { from, to: to === '-out' ? move : to };
}

/**
 * What a move does, for lines that come without events. A hidden ghost is taken at its worst, as
 * everywhere on the site: red when captured, blue when it leaves.
 */
export function eventOf(state, move) {
  const { from, to } = endsOf(move);
  const mover = state.pieces.get(from);
  const target = state.pieces.get(to) ?? null;
  const leaves = to === move;
  return {
    move,
    side: isOwn(mover) ? 'own' : 'top',
    captured: target === 'u' ? 'r' : target,
    was_hidden: target === 'u' || (leaves && mover === 'u'),
    left: leaves ? (mover === 'u' ? 'b' : mover) : null,
  };
}

/** The state after an event; the one before is left as it is. */
export function after(state, event) {
  const { from, to } = endsOf(event.move);
  const pieces = new Map(state.pieces);
  const mover = pieces.get(from);
  pieces.delete(from);
  if (!event.left) pieces.set(to, mover);
  const gone = [event.captured, event.left];
  const count = (letter) => gone.filter((other) => other === letter).length;
  return { ...state, pieces, blue: state.blue - count('b'), red: state.red - count('r') };
}

/** What each side has captured in a list of events, as the trays beside the board show it. */
export function takenIn(events) {
  const by = (side) => events.filter((event) => event.side === side && event.captured);
  return {
    own: by('own').map((event) => event.captured),
    top: by('top').map((event) => event.captured),
  };
}

/** The colours of the opponent's ghosts, shown above a board. */
export const tallyOf = ({ blue, red }) => [{ letter: 'b', number: blue }, { letter: 'r', number: red }];
