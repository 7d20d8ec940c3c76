import { STATUS_CODES } from 'node:http'
import { printable } from '../transcript/printable.ts'
import type { Cause, Evidence, Excerpt, RuleResult } from './report.ts'
import { statementText } from './statements.ts'

/** The names of the facts, in the order in which to read them. */
export type FactName =
  | 'cause'
  | 'reason'
  | 'expected'
  | 'got'
  | 'at'
  | 'response'
  | 'header'
  | 'body'
  | 'statement'
  | 'known'
  | 'exchanges'
  | 'again'

/** One fact about a broken rule. */
export interface Fact {
  readonly name: FactName
  readonly text: string
  /** The text with the part at fault marked, of a header and of a body. */
  readonly excerpt?: Excerpt
}

/** The most ids in a list. */
const mostNamed = 5

/** Returns the first ids, and the number of the others. */
export function shortened(ids: readonly string[]): string {
  const more = ids.length - mostNamed
  return ids.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Returns a status with its name and the content type, such as `200 OK, application/json`. */
export function responseLine({ status, contentType }: Evidence): string {
  return `${[status, STATUS_CODES[status]].filter(Boolean).join(' ')}, ${contentType ?? 'no content type'}`
}

/**
 * Returns the facts about a broken rule, in the order in which to read them. The reason is left out if
 * there are `expected` and `got`, which it only repeats in a sentence.
 */
export function facts(rule: RuleResult, cause?: Cause): readonly Fact[] {
  const { reason, expected, got, evidence, statement, known, exchanges, curl } = rule
  const all: readonly { readonly name: FactName; readonly text: string | undefined; excerpt?: Excerpt }[] = [
    { name: 'cause', text: cause?.title },
    { name: 'reason', text: expected && got ? undefined : reason },
    { name: 'expected', text: expected },
    { name: 'got', text: got },
    { name: 'at', text: evidence?.at },
    { name: 'response', text: evidence && responseLine(evidence) },
    ...excerptFact('header', evidence?.header),
    ...excerptFact('body', evidence?.body),
    { name: 'statement', text: statementText(statement) },
    { name: 'known', text: known },
    { name: 'exchanges', text: shortened(exchanges) },
    { name: 'again', text: curl },
  ]
  return all.flatMap(({ name, text, excerpt }) => (text ? [{ name, text, ...(excerpt && { excerpt }) }] : []))
}

function excerptFact(name: 'header' | 'body', excerpt: Excerpt | undefined): readonly Fact[] {
  return excerpt === undefined ? [] : [{ name, text: excerptText(excerpt), excerpt }]
}

/** Returns an excerpt as one line. */
function excerptText({ before, marked, after }: Excerpt): string {
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
