/** Making elements without a framework. */

const SVG = 'http://www.w3.org/2000/svg';

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * An HTML element. Attributes that are null or false are left out; `onclick` and the like are
 * listeners; children are nodes or texts, and those that are null or false are left out.
 */
export const h = (tag, attributes = {}, ...children) =>
  make(document.createElement(tag), attributes, children);

/** An SVG element, made like those of `h`. */
export const s = (tag, attributes = {}, ...children) =>
  make(document.createElementNS(SVG, tag), attributes, children);

/** A ghost by itself, as in the symbols of the page. */
export const ghost = (letter, className = 'ghost-icon') =>
  s('svg', { viewBox: '-21 -26 42 50', class: className, 'aria-hidden': 'true' },
    s('use', { href: `#ghost-${letter}`, x: -21, y: -26, width: 42, height: 50 }));

/** A button with words on it. */
export const button = (text, onclick, attributes = {}) =>
  h('button', { type: 'button', class: 'button', onclick, ...attributes }, text);

/**
 * Where a page has its board and the panel beside it; what the page lacks is made.
 * @param {HTMLElement} main
 * @returns {{boardPlace: HTMLElement, panel: HTMLElement}}
 */
export function playPlaces(main) {
  const place = (id, className) => {
    const element = document.getElementById(id) ?? h('div', { id });
    element.classList.add(className);
    return element;
  };
  const boardPlace = place('board', 'board-place');
  const panel = place('panel', 'panel');
  if (!boardPlace.isConnected || !panel.isConnected) main.append(h('div', { class: 'play' }, boardPlace, panel));
  return { boardPlace, panel };
}

/**
 * Fills an element anew. If that takes away what has the focus, the focus goes to what is called the
 * same, or to what comes first, or as `otherwise` says: nobody who uses keys is sent back to the top.
 * @param {Element} host
 * @param {(Node|string)[]} children
 * @param {() => void} [otherwise]
 */
export function refill(host, children, otherwise = () => {}) {
  const gone = host.contains(document.activeElement) ? document.activeElement : null;
  host.replaceChildren(...children);
  if (!gone) return;
  const all = [...host.querySelectorAll('button:not(:disabled), a[href]')];
  const next = all.find((one) => one.textContent === gone.textContent) ?? all[0];
  if (next) next.focus();
  else otherwise();
}

/** Whether people asked for little motion. */
export const calm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
