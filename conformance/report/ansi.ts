/** How text for people looks. */
export interface Style {
  readonly color: boolean
  /** Where lines break, for a terminal; absent: nowhere. */
  readonly columns?: number
}

/** Select Graphic Rendition codes (ECMA-48): what turns a style on, and what turns it off. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

export type Ink = keyof typeof codes

/** Puts text in an ink, or leaves it alone. */
export type Paint = (ink: Ink, text: string) => string

/** A paint for a terminal, or one that adds nothing. */
export function paintOf({ color }: Style): Paint {
  return color ? (ink, text) => `\u001b[${codes[ink][0]}m${text}\u001b[${codes[ink][1]}m` : (_, text) => text
}
