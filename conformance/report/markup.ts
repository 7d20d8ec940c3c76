import { printable, printableLines } from '../transcript/printable.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Markup that needs no more escapes, for HTML and XML. */
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

/**
 * A template tag. Values are escaped to one line, except for markup; lists are joined; `undefined` and `false` are
 * empty.
 */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.map((string, index) => string + rendered(pieces[index])).join(''))
}

/** Escapes text, but not its line feeds. */
export function multiline(text: string): Markup {
  return new Markup(escaped(printableLines(text)))
}
