/**
 * Notes on a board of Kriegspiel: where one believes the other side's men to be. They are kept by
 * the server for their owner alone.
 */

import { MEN, isNote, man, manName, noteOf } from './kriegspiel-art.js';
import { h } from './dom.js';
import { t } from './words.js';

/** Reads `e5q,d4p`. */
const parse = (text) => new Map(text.split(',').filter(Boolean).map((note) => [note.slice(0, 2), note.slice(2)]));

const format = (notes) => [...notes].map(([square, letter]) => square + letter).join(',');

export class Notes {
  /**
   * @param {'white'|'black'} side whose notes they are
   * @param {(notes: string) => Promise<void>} save
   * @param {(tool: ?string) => void} onTool a man was taken to note, '' to erase, null to play on
   */
  constructor(side, save, onTool) {
    Object.assign(this, { side, save, onTool });
    this.notes = new Map();
    this.changed = false;
    this.saving = false;
    this.tool = null;
    this.box = this.palette();
  }

  /** What the server has; unless something newer is on its way there. */
  read(text) {
    if (!this.saving) this.notes = parse(text);
  }

  /** A man of the other side as the board knows it. */
  letter(kind) {
    return noteOf(this.side === 'white' ? kind : kind.toUpperCase());
  }

  /** The men of a board with the notes where no real man stands. */
  over(men) {
    const noted = [...this.notes].map(([square, kind]) => [square, this.letter(kind)]);
    return new Map([...noted.filter(([square]) => !men.has(square)), ...men]);
  }

  /** Takes over what was changed on the board; not if that puts a hand on a real man. */
  change(pieces, men) {
    const noted = [...pieces].filter(([, letter]) => isNote(letter));
    const apart = [...men].every(([square, letter]) => pieces.get(square) === letter);
    if (!apart || noted.length + men.size !== pieces.size) return false;
    this.notes = new Map(noted.map(([square, letter]) => [square, letter.slice(1).toLowerCase()]));
    this.changed = true;
    if (!this.saving) this.saveAll();
    return true;
  }

  /** One after the other, so that the last ones stay. */
  async saveAll() {
    this.saving = true;
    while (this.changed) {
      this.changed = false;
      await this.save(format(this.notes));
    }
    this.saving = false;
  }

  /** Chooses what a tap on the board does. */
  choose(tool) {
    this.tool = tool;
    for (const one of this.box.children) one.setAttribute('aria-pressed', String(one.tool === tool));
    this.onTool(tool);
  }

  palette() {
    const one = (tool) => {
      const name = tool === null ? t('game.notes-off') : tool === '' ? t('palette.erase') : manName(tool.slice(1));
      const sign = tool === null ? '✥' : tool === '' ? '✕' : man(tool.slice(1));
      const element = h('button', {
        type: 'button', class: 'palette-tool', 'aria-pressed': String(tool === null), 'aria-label': name, title: name,
        onclick: () => this.choose(tool),
      }, sign);
      element.tool = tool;
      return element;
    };
    const tools = [null, ...MEN.map((kind) => this.letter(kind)), ''];
    return h('div', { class: 'palette notes', role: 'group', 'aria-label': t('game.notes') }, tools.map(one));
  }
}
