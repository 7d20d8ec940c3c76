import { toPrintable } from '../transcript/printable.ts'
import { formatStatus } from '../transcript/responses.ts'
import type { Cause, Evidence, Excerpt, RuleResult } from './report.ts'
import { findStatementText } from './statements.ts'

/** A labelled detail in a rule's result. */
export interface Fact {
  readonly name: string
  readonly text: string
  /** The excerpt that `text` contains, with its marked part. */
  readonly excerpt?: Excerpt
}

const maxListedIds = 5

/** Joins the first 5 ids, and counts the rest. */
export function formatIds(ids: readonly string[]): string {
  const unlistedIds = ids.length - maxListedIds
  return ids.slice(0, maxListedIds).join(', ') + (unlistedIds > 0 ? ` and ${unlistedIds} more` : '')
}

export function formatResponseLine({ status, contentType }: Evidence): string {
  return `${formatStatus(status)}, ${contentType ?? 'no content type'}`
}

/**
 * Lists the facts about a rule's result, in reading order. The reason is left out if `expected` and `got` say the same.
 *
 * @param causes The causes of the report. Without them, the rule's cause is left out.
 */
export function listFacts(rule: RuleResult, causes: readonly Cause[] = []): readonly Fact[] {
  const { id, reason, expected, got, evidence, statement, known, exchanges, curl } = rule
  const factTexts: Readonly<Record<string, string | Excerpt | undefined>> = {
    cause: causes.find(({ rules }) => rules.includes(id))?.title,
    reason: expected && got ? undefined : reason,
    expected,
    got,
    at: evidence?.at,
    response: evidence && formatResponseLine(evidence),
    header: evidence?.header,
    body: evidence?.body,
    statement: findStatementText(statement),
    known,
    exchanges: formatIds(exchanges),
    again: curl,
  }
  return Object.entries(factTexts).flatMap(([name, text]) => {
    if (!text) return []
    if (typeof text === 'string') return [{ name, text }]
    return [{ name, text: text.before + text.marked + text.after, excerpt: text }]
  })
}

/** Formats an excerpt as one line, with carets below the marked part. Control characters are escaped. */
export function formatExcerpt(excerpt: Excerpt, columns: number): readonly string[] {
  const [before = '', marked = '', after = ''] = [excerpt.before, excerpt.marked, excerpt.after].map(
    toPrintable,
  )
  const excerptWidth = Math.max(columns, 20)
  const fullText = before + marked + after
  const idealStart = before.length - Math.floor(excerptWidth / 4)
  const cutStart = Math.max(0, Math.min(idealStart, fullText.length - excerptWidth))
  const cutEnd = cutStart + excerptWidth
  const isCut = fullText.length > cutEnd
  const shownText = fullText.slice(cutStart > 0 ? cutStart + 1 : 0, isCut ? cutEnd - 1 : cutEnd)
  // Joining or cutting can create a log command, so the line is escaped again.
  const line = toPrintable((cutStart > 0 ? '…' : '') + shownText + (isCut ? '…' : ''))
  const markedStart = before.length - cutStart
  return marked === ''
    ? [line]
    : [line, ' '.repeat(markedStart) + '^'.repeat(Math.min(marked.length, excerptWidth - markedStart))]
}
