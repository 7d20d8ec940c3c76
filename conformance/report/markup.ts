import { toPrintable, toPrintableLines } from '../transcript/printable.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** HTML or XML that is safe to insert. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Markup | undefined | false | readonly Piece[]

function renderPiece(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.text
  return Array.isArray(piece) ? piece.map(renderPiece).join('') : escapeHtml(toPrintable(String(piece)))
}

/** A template tag that escapes inserted texts to one line. Arrays are joined, and `undefined` and `false` are empty. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.map((string, index) => string + renderPiece(pieces[index])).join(''))
}

/** Escapes a text like {@link markup}, but keeps its line breaks. */
export function escapeLines(text: string): Markup {
  return new Markup(escapeHtml(toPrintableLines(text)))
}
