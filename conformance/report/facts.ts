import { printable } from '../transcript/printable.ts'
import { formatStatus } from '../transcript/responses.ts'
import type { Cause, Evidence, Excerpt, RuleResult } from './report.ts'
import { findStatementText } from './statements.ts'

/** One fact about a rule. */
export interface Fact {
  readonly name: string
  readonly text: string
  /** The text with the part at fault marked, of a header and of a body. */
  readonly excerpt?: Excerpt
}

/** Maximum number of ids in a list. */
const mostNamed = 5

/** Returns the first ids, and the number of the others. */
export function shortened(ids: readonly string[]): string {
  const more = ids.length - mostNamed
  return ids.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Returns a status with its name and the content type, such as `200 OK, application/json`. */
export function responseLine({ status, contentType }: Evidence): string {
  return `${formatStatus(status)}, ${contentType ?? 'no content type'}`
}

/**
 * Returns the facts about a rule in reading order. The reason is left out if there are `expected` and `got`: it only
 * repeats them in a sentence.
 *
 * @param causes The causes of the report; without them, no fact names the cause of the rule.
 */
export function facts(rule: RuleResult, causes: readonly Cause[] = []): readonly Fact[] {
  const { id, reason, expected, got, evidence, statement, known, exchanges, curl } = rule
  const texts: Readonly<Record<string, string | Excerpt | undefined>> = {
    cause: causes.find(({ rules }) => rules.includes(id))?.title,
    reason: expected && got ? undefined : reason,
    expected,
    got,
    at: evidence?.at,
    response: evidence && responseLine(evidence),
    header: evidence?.header,
    body: evidence?.body,
    statement: findStatementText(statement),
    known,
    exchanges: shortened(exchanges),
    again: curl,
  }
  return Object.entries(texts).flatMap(([name, text]) => {
    if (!text) return []
    if (typeof text === 'string') return [{ name, text }]
    return [{ name, text: text.before + text.marked + text.after, excerpt: text }]
  })
}

/**
 * Returns an excerpt as a line of limited width around its mark, and a line of carets below the mark, if there is one.
 * Characters that a terminal acts on are escaped.
 */
export function formatExcerpt(excerpt: Excerpt, columns: number): readonly string[] {
  const [before = '', marked = '', after = ''] = [excerpt.before, excerpt.marked, excerpt.after].map(
    printable,
  )
  const width = Math.max(columns, 20)
  const all = before + marked + after
  const from = Math.max(0, Math.min(before.length - Math.floor(width / 4), all.length - width))
  const isCut = all.length > from + width
  const shown = all.slice(from + (from > 0 ? 1 : 0), from + width - (isCut ? 1 : 0))
  // printable once more: joined parts may form a command, and so may text that a cut moves to the start of a line
  const line = printable((from > 0 ? '…' : '') + shown + (isCut ? '…' : ''))
  const start = before.length - from
  return marked === ''
    ? [line]
    : [line, ' '.repeat(start) + '^'.repeat(Math.min(marked.length, width - start))]
}
