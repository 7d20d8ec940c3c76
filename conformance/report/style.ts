/** How the text of a report looks. */
export interface Style {
  readonly color: boolean
  /** The width at which lines break, in characters; without it, no line breaks. */
  readonly columns?: number
  /** Whether only failures and the outcome are shown. */
  readonly isQuiet?: boolean
}

/** Select Graphic Rendition codes (ECMA-48): one turns a style on, the other turns it off. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

export type Ink = keyof typeof codes

/** Adds the codes of an ink to a text. */
export type Paint = (ink: Ink, text: string) => string

/** Returns the paint of a style; without colour, it adds nothing. */
export function paintOf({ color }: Style): Paint {
  return color ? (ink, text) => `\u001b[${codes[ink][0]}m${text}\u001b[${codes[ink][1]}m` : (_, text) => text
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
