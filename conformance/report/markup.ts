import { printable, printableLines } from './printable.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Markup that is safe as it stands, in HTML and XML alike. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Markup | undefined | false | readonly Piece[]

function rendered(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.text
  return Array.isArray(piece) ? piece.map(rendered).join('') : escaped(printable(String(piece)))
}

/** A template whose values are escaped to one line, markup excepted; lists are joined, `undefined` and `false` are nothing. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.map((string, index) => string + rendered(pieces[index])).join(''))
}

/** Text with its line feeds kept, for places that show them. */
export function multiline(text: string): Markup {
  return new Markup(escaped(printableLines(text)))
}
