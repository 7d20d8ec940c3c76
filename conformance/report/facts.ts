import { STATUS_CODES } from 'node:http'
import type { Alike } from './alike.ts'
import { excerptText } from './excerpt.ts'
import type { Cause, Evidence, Excerpt } from './report.ts'
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

/** One fact about a broken rule, or about rules that fail alike. */
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
 * Returns the facts about broken rules that fail alike, in the order in which to read them. The reason is left out if
 * there are `expected` and `got`, which it only repeats in a sentence.
 */
export function facts(rules: Alike, cause?: Cause): readonly Fact[] {
  const [{ reason, expected, got, evidence, known, exchanges, curl }] = rules
  const all: readonly { readonly name: FactName; readonly text: string | undefined; excerpt?: Excerpt }[] = [
    { name: 'cause', text: cause?.title },
    { name: 'reason', text: expected && got ? undefined : reason },
    { name: 'expected', text: joined(rules.map((rule) => rule.expected)) },
    { name: 'got', text: got },
    { name: 'at', text: joined(rules.map((rule) => rule.evidence?.at)) },
    { name: 'response', text: evidence && responseLine(evidence) },
    ...excerptFact('header', evidence?.header),
    ...excerptFact('body', evidence?.body),
    { name: 'statement', text: joined(rules.map(({ statement }) => statementText(statement))) },
    { name: 'known', text: known },
    { name: 'exchanges', text: shortened(exchanges) },
    { name: 'again', text: curl },
  ]
  return all.flatMap(({ name, text, excerpt }) => (text ? [{ name, text, ...(excerpt && { excerpt }) }] : []))
}

function excerptFact(name: 'header' | 'body', excerpt: Excerpt | undefined): readonly Fact[] {
  return excerpt === undefined ? [] : [{ name, text: excerptText(excerpt), excerpt }]
}

/** Joins different texts; none of rules that fail alike is repeated. */
function joined(texts: readonly (string | undefined)[]): string {
  return [...new Set(texts.filter((text) => text !== undefined))].join('; ')
}
