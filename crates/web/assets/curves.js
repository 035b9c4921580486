/**
 * How a game went, as curves over its moves: one line for each seat, the seat at the bottom first. A chart is also a slider along
 * the game, so that pointers and keys move the replay.
 */

import { h, refill, s } from './dom.js';
import { language, t } from './words.js';

const HEIGHT = 150;
const LEFT = 34;
const RIGHT = 10;
const TOP = 10;
/** Further down where something infinite lies above the highest value. */
const TOP_BELOW_INFINITE = 30;
const BOTTOM = 22;

/** Measures that are looked at together; each has a chart. */
const GROUPS = { number: ['number'], motion: ['velocity', 'mass'], force: ['momentum', 'energy'] };

/** How the lines look. */
const LOOKS = ['line-own', 'line-other'];

const short = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

/** Only the number of answers can be infinite; where another measure is null there is none. */
const INFINITE = 'number';

/** A value as it is read. */
function read(value, measure) {
  if (value === null && measure === INFINITE) return '∞';
  return value === null || value === undefined ? '–' : short.format(value);
}

/** The next higher number that divides well. */
function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((times) => times * unit).find((round) => round >= value * 0.999);
}

/** Numbers of moves below the axis, not too many for the width. */
function steps(plies, width) {
  const most = Math.max(2, Math.floor(width / 60));
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((one) => plies / one <= most) ?? plies;
  return Array.from({ length: Math.floor(plies / step) + 1 }, (_, index) => index * step);
}

/** Where moves and values are in a chart of this width. */
class Scale {
  constructor(plies, values, width, atLeast) {
    this.plies = Math.max(1, plies);
    this.width = width;
    this.top = values.includes(null) ? TOP_BELOW_INFINITE : TOP;
    const finite = values.filter((value) => value !== null);
    this.least = Math.min(0, ...finite);
    const most = Math.max(0, ...finite);
    this.most = most > 0 || this.least === 0 ? roundUp(Math.max(most, atLeast)) : 0;
  }

  x(ply) {
    return LEFT + ((this.width - LEFT - RIGHT) * ply) / this.plies;
  }

  /** Infinite values lie above all others, each seat's on a line of its own. */
  y(value, index = 0) {
    if (value === null) return 7 + 8 * index;
    return this.top + (HEIGHT - this.top - BOTTOM) * (1 - (value - this.least) / (this.most - this.least));
  }

  /** The move at a place of the chart. */
  plyAt(x) {
    const ply = Math.round(((x - LEFT) / (this.width - LEFT - RIGHT)) * this.plies);
    return Math.max(0, Math.min(this.plies, ply));
  }
}

/** Points without a gap between them. */
function runs(turns, measure) {
  const all = [[]];
  for (const turn of turns) {
    if (turn[measure] === null) all.push([]);
    else all.at(-1).push(turn);
  }
  return all.filter((run) => run.length > 0);
}

/** The line of a seat: through what is finite, with a sign for each that is not. */
function series(scale, { turns, turning }, measure, index) {
  const at = (turn) => `${scale.x(turn.ply).toFixed(1)},${scale.y(turn[measure], index).toFixed(1)}`;
  const dot = (turn, className, r) => s('circle', { class: className, cx: scale.x(turn.ply), cy: scale.y(turn[measure], index), r });
  const turned = turning.map(({ ply }) => turns.find((turn) => turn.ply === ply)).filter(Boolean);
  return s('g', { class: LOOKS[index] },
    runs(turns, measure).map((run) => s('polyline', { class: 'series', points: run.map(at).join(' ') })),
    runs(turns, measure).filter((run) => run.length === 1).map(([turn]) => dot(turn, 'point', 2.5)),
    turns.filter((turn) => measure === INFINITE && turn[measure] === null).map((turn) => dot(turn, 'infinite', 2.5)),
    turned.filter((turn) => measure === INFINITE || turn[measure] !== null).map((turn) => dot(turn, 'turning', 5)));
}

function axes(scale, infinite) {
  const { least, most, width } = scale;
  const line = (value) => s('g', {},
    s('line', { class: 'tick', x1: LEFT, x2: width - RIGHT, y1: scale.y(value), y2: scale.y(value) }),
    s('text', { x: LEFT - 6, y: scale.y(value) + 4, 'text-anchor': 'end' }, short.format(value)));
  return [
    ...[least, (least + most) / 2, most].map(line),
    infinite && s('text', { x: LEFT - 6, y: 14, 'text-anchor': 'end' }, '∞'),
    ...steps(scale.plies, width).map((ply) => s('text', { x: scale.x(ply), y: HEIGHT - 5, 'text-anchor': 'middle' }, String(ply))),
  ];
}

export class Curves {
  /**
   * @param {Object} options
   * @param {Object[]} options.lines the review of both seats, each with a `name`
   * @param {number} options.plies how long the game was
   * @param {(place: number) => void} options.onPlace somebody looks at this place
   * @param {number} options.place where to begin
   */
  constructor(options) {
    Object.assign(this, options);
    this.group = 'number';
    this.charts = [];
    this.choice = h('div', { class: 'segments curve-choice', role: 'group', 'aria-label': t('replay.curves') });
    this.host = h('div', { class: 'curves' });
    this.meaning = h('p', { class: 'note' });
    this.element = h('div', {}, this.choice, this.meaning, this.host);
    // The letters keep their size on every screen; so the drawing goes by the width there is.
    let width = 0;
    new ResizeObserver(() => {
      if (this.host.clientWidth === width) return;
      width = this.host.clientWidth;
      this.draw();
    }).observe(this.host);
    this.choose('number');
  }

  choose(group) {
    this.group = group;
    refill(this.choice, Object.keys(GROUPS).map((one) => h('button', {
      type: 'button', class: 'segment', 'aria-pressed': String(one === group), onclick: () => this.choose(one),
    }, t(`replay.curves.${one}`))));
    this.meaning.textContent = t(`replay.curves.${group}-text`);
    this.draw();
  }

  draw() {
    const width = Math.max(240, this.host.clientWidth);
    this.charts = GROUPS[this.group].map((measure) => this.chart(measure, width));
    this.host.replaceChildren(...this.charts.map(({ figure }) => figure));
    this.mark(this.place);
  }

  chart(measure, width) {
    const values = this.lines.flatMap(({ turns }) => turns.map((turn) => turn[measure]));
    const scale = new Scale(this.plies, values, width, measure === INFINITE ? 4 : 0.1);
    const now = s('line', { class: 'now', y1: 2, y2: HEIGHT - BOTTOM });
    const svg = s('svg', {
      class: 'chart scrub', viewBox: `0 0 ${width} ${HEIGHT}`, role: 'slider', tabindex: 0,
      'aria-label': t(`replay.measure.${measure}`), 'aria-valuemin': 0, 'aria-valuemax': this.plies,
    }, axes(scale, measure === INFINITE && values.includes(null)), now, this.lines.map((line, index) => series(scale, line, measure, index)));
    const pick = (event) => {
      if (event.pointerType !== 'mouse' && event.type === 'pointermove' && !event.buttons) return;
      const { left, width: seen } = svg.getBoundingClientRect();
      this.onPlace(scale.plyAt(((event.clientX - left) * width) / seen));
    };
    svg.addEventListener('pointerdown', pick);
    svg.addEventListener('pointermove', pick);
    const legend = h('figcaption', {});
    return { measure, scale, now, svg, legend, figure: h('figure', { class: 'curve' }, legend, svg) };
  }

  /** Shows which place the replay is at. */
  mark(place) {
    this.place = place;
    for (const { measure, scale, now, svg, legend } of this.charts) {
      now.setAttribute('x1', scale.x(place));
      now.setAttribute('x2', scale.x(place));
      const told = this.lines.map(({ name, turns }) => ({ name, value: read(lastValue(turns, measure, place), measure) }));
      svg.setAttribute('aria-valuenow', place);
      svg.setAttribute('aria-valuetext', t('replay.curves.told', {
        n: place, first: `${told[0].name} ${told[0].value}`, second: `${told[1].name} ${told[1].value}`,
      }));
      legend.replaceChildren(h('span', { class: 'legend-name' }, t(`replay.measure.${measure}`)), h('ul', { class: 'legend' }, told.map(legendEntry)));
    }
  }
}

/** The last value up to a place. */
const lastValue = (turns, measure, place) => turns.findLast(({ ply }) => ply <= place)?.[measure];

function legendEntry({ name, value }, index) {
  const sample = s('svg', { class: `chart legend-line ${LOOKS[index]}`, viewBox: '0 0 30 10', 'aria-hidden': 'true' },
    s('line', { class: 'series', x1: 0, x2: 30, y1: 5, y2: 5 }));
  return h('li', {}, sample, name, h('strong', {}, value));
}
