/** The end of a puzzle: how it went, what the puzzle is like, and what people think of it. */

import { post } from './api.js';
import { h } from './dom.js';
import { change, duration, grade, has, t, whole, winLength } from './words.js';

/** The word of five for a number from -2 to 2. */
const inWords = (what, number) => t(`rate.${what}.${Math.max(-2, Math.min(2, Math.round(number)))}`);

/** A reason for a grade, in words. */
export function reasonText({ code, number }) {
  if (code === 'solved-by') return t('reason.solved-by', { strength: t(`strength.${number}`) });
  return t(`reason.${code}`, { n: number });
}

/** A theme as a link to more of its kind. */
export const chip = (theme) =>
  h('a', { class: 'chip', href: `/puzzles?theme=${encodeURIComponent(theme)}` }, has(`theme.${theme}`) ? t(`theme.${theme}`) : theme);

function fact(name, ...value) {
  return h('div', {}, h('dt', {}, t(name)), h('dd', {}, ...value));
}

/** The facts of an attempt. */
export function facts(result) {
  const { seconds, longer_by: longer, counted, player, puzzle_counted: own, attempts, solved, rating, deviation } = result;
  const delta = player ? Math.round(player.after) - Math.round(player.before) : 0;
  return h('dl', { class: 'facts' },
    fact('result.time', duration(seconds)),
    longer > 0 && fact('result.longer', t('result.longer-by', winLength(longer))),
    counted && player && fact('result.your-rating', `${whole(player.after)} `,
      h('span', { class: delta < 0 ? 'fall' : 'rise' }, change(delta))),
    rating !== null && rating !== undefined && fact('result.puzzle-rating', `${whole(rating)} ± ${whole(deviation)}`),
    // The attempt itself is among them if it moved the rating of the puzzle.
    fact('result.others', attempts > (own ? 1 : 0) ? t('result.solved-of', { solved: whole(solved), n: attempts }) : t('result.first')));
}

/** How hard and how interesting the puzzle is, why, and where that comes from. */
export function gradeSection(result) {
  const { difficulty, interest, basis, reasons, themes } = result;
  const scale = (what, number) => number === null || number === undefined ? null : h('div', { class: 'scale' },
    h('span', { class: 'scale-name' }, t(`grade.${what}`)),
    h('meter', { min: -2, max: 2, value: number, 'aria-label': t(`grade.${what}`) }),
    h('span', { class: 'scale-value' }, `${inWords(what, number)} (${grade(number)})`));
  return h('section', { class: 'grade' },
    h('h3', {}, t('grade.title')),
    scale('difficulty', difficulty), scale('interest', interest),
    basis && h('p', { class: 'note' }, t(`grade.basis.${basis}`)),
    reasons?.length > 0 && h('ul', { class: 'reasons' }, reasons.map((reason) => h('li', {}, reasonText(reason)))),
    themes?.length > 0 && h('p', { class: 'chips' }, themes.map(chip)));
}

/** What people said on average, or that nobody did. */
function opinion(people) {
  if (!people?.ratings) return t('rate.nobody');
  const parts = ['interest', 'difficulty'].filter((what) => people[what] !== null);
  return t('rate.people', {
    n: people.ratings,
    opinion: parts.map((what) => `${t(`grade.${what}`)} ${grade(people[what])}`).join(t('list.comma')),
  });
}

/**
 * The two questions. An answer is sent as soon as both are there, and may be changed.
 * @param {{puzzle: string, study: ?string, mine: Object, people: Object, onRated?: Function}} options
 */
export function questions({ puzzle, study, mine, people, onRated = () => {} }) {
  const answers = { interest: mine?.interest ?? null, difficulty: mine?.difficulty ?? null };
  const status = h('p', { class: 'note', role: 'status' });
  const complete = () => answers.interest !== null && answers.difficulty !== null;
  const send = async () => {
    if (!complete()) return;
    try {
      const answer = await post(`puzzles/${puzzle}/ratings`, { ...answers, study: study || null }, { again: true });
      status.textContent = study ? t('rate.saved') : `${t('rate.saved')} ${opinion(answer.people)}`;
      onRated();
    } catch (error) {
      status.textContent = error.message;
    }
  };
  const group = (what) => h('fieldset', { class: 'five' },
    h('legend', {}, t(`rate.${what}`)),
    h('div', { class: 'five-levels', role: 'radiogroup', 'aria-label': t(`rate.${what}`) }, [-2, -1, 0, 1, 2].map((level) => h('label', {},
      h('input', {
        type: 'radio', name: what, value: level, checked: answers[what] === level,
        onchange: () => { answers[what] = level; send(); },
      }),
      h('span', {}, t(`rate.${what}.${level}`))))));
  if (complete() && !study) status.textContent = opinion(people);
  return h('form', { class: 'questions', onsubmit: (event) => event.preventDefault() },
    h('h3', {}, t('rate.title')), group('interest'), group('difficulty'), status);
}
