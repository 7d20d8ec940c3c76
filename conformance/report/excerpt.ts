import { printable } from '../transcript/printable.ts'
import type { Excerpt } from './report.ts'

/** Returns an excerpt as one line. */
export function excerptText({ before, marked, after }: Excerpt): string {
  return before + marked + after
}

/**
 * Returns an excerpt as a line of at most so many characters, and a line of carets below the marked part, if there is
 * one. Characters that a terminal acts on are escaped in both parts.
 */
export function excerptLines(excerpt: Excerpt, columns: number): readonly string[] {
  const [before = '', marked = '', after = ''] = [excerpt.before, excerpt.marked, excerpt.after].map(
    printable,
  )
  // printable once more: what was apart may be a command together, and so may what a cut moves to the start of a line
  if (marked === '') return [shortenEnd(printable(before + after), columns)]
  const least = Math.max(columns, 20)
  const shownMark = shortenEnd(marked, least - 6)
  const room = Math.max(0, least - shownMark.length)
  const shownBefore = shortenStart(before, Math.min(before.length, Math.ceil(room / 2)))
  const shownAfter = shortenEnd(after, room - shownBefore.length)
  const line = printable(shownBefore + shownMark + shownAfter)
  return [line, ' '.repeat(shownBefore.length) + '^'.repeat(shownMark.length)]
}

function shortenEnd(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`
}

function shortenStart(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(text.length - Math.max(0, most - 1))}`
}
