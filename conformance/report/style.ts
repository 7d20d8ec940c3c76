import { styleText } from 'node:util'

/** How the text of a report looks. */
export interface Style {
  readonly color: boolean
  /** The width at which lines break, in characters; without it, no line breaks. */
  readonly columns?: number
  /** Whether only failures and the outcome are shown. */
  readonly isQuiet?: boolean
}

export type Ink = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Adds the codes of an ink to a text. */
export type Paint = (ink: Ink, text: string) => string

/** Returns the paint of a style; without colour, it adds nothing. */
export function paintOf({ color }: Style): Paint {
  return color ? (ink, text) => styleText(ink, text, { validateStream: false }) : (_, text) => text
}

/** Breaks text between words into lines of at most `width` characters. A longer word has its own line. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Wraps text that begins at the column `indent`, which every further line begins at too. */
export function hang(text: string, indent: number, columns: number): string {
  return wrap(text, columns - indent).join(`\n${' '.repeat(indent)}`)
}
