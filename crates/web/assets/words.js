/** The words of the page's language. Every word that a module shows comes through `t`. */

/** The language of the page, `en` or `ja`. */
export const language = document.body.dataset.language || 'en';

const { default: table } = await import(`./words-${language}.js`);

/** Whether there are words for a key. */
export const has = (key) => key in table;

/**
 * The words for a key, with `{name}` replaced by the variable of that name. Where the variable `n`
 * is 1 and there are words for `key.one`, those are taken.
 * @param {string} key
 * @param {Object<string, string|number>} [vars]
 * @returns {string} the key itself where there are no words, so that a gap is seen and nothing breaks
 */
export function t(key, vars = {}) {
  const one = `${key}.one`;
  const text = (vars.n === 1 && table[one]) || table[key] || key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => vars[name] ?? whole);
}

/**
 * The variables for the length of a win: `n` moves of the player, and `plies`, which Japanese counts.
 * @param {number} plies
 * @param {'own'|'top'} [turn] the side to move
 */
export const winLength = (plies, turn = 'own') =>
  ({ n: turn === 'own' ? Math.ceil(plies / 2) : Math.floor(plies / 2), plies });

/** Parts as a list in a sentence: "a, b, c". */
export const list = (parts) => parts.filter(Boolean).join(t('list.comma'));

/** What stands between two sentences; in Japanese nothing does. */
export const gap = language === 'ja' ? '' : ' ';

/** Sentences one after the other. */
export const sentences = (all) => all.filter(Boolean).join(gap);

const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const signed = new Intl.NumberFormat(language, { maximumFractionDigits: 0, signDisplay: 'exceptZero' });
const fine = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A whole number: "1,423". */
export const whole = (number) => plain.format(number);

/** A change of a whole number: "+12". */
export const change = (number) => signed.format(number);

/** A grade: "-1.8". */
export const grade = (number) => fine.format(number);

/** A time: "4.2 s", "1:07". */
export function duration(seconds) {
  if (seconds < 60) return t('time.seconds', { n: fine.format(seconds) });
  return clock(seconds);
}

/** A time on a clock: "0:07". */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A move as it is read: "a4–a5", "a4×a5", "a6 out". */
export function moveText(move, captures = false) {
  const from = /^[a-z]\d+/.exec(move)[0];
  const rest = move.slice(from.length);
  if (rest === '-out') return t('move.out', { from });
  return rest ? `${from}${captures ? '×' : '–'}${rest}` : from;
}
