import { statementLink } from '../statements.ts'
import type { RuleResult } from './report.ts'

/** One fact about a broken rule. */
export interface Fact {
  readonly name: 'reason' | 'expected' | 'got' | 'statement' | 'known' | 'exchanges' | 'again'
  readonly text: string
}

/** The most ids in a list. */
const mostNamed = 5

/** Returns the first ids, and the number of the others. */
export function shortened(ids: readonly string[]): string {
  const more = ids.length - mostNamed
  return ids.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/**
 * Returns the facts about a broken rule, in the order in which to read them. The reason is left out if there are
 * `expected` and `got`, which it only repeats in a sentence.
 */
export function facts({
  reason,
  expected,
  got,
  statement,
  known,
  exchanges,
  curl,
}: RuleResult): readonly Fact[] {
  const all: readonly { readonly name: Fact['name']; readonly text: string | undefined }[] = [
    { name: 'reason', text: expected && got ? undefined : reason },
    { name: 'expected', text: expected },
    { name: 'got', text: got },
    { name: 'statement', text: statementLink(statement) },
    { name: 'known', text: known },
    { name: 'exchanges', text: shortened(exchanges) },
    { name: 'again', text: curl },
  ]
  return all.flatMap(({ name, text }) => (text ? [{ name, text }] : []))
}
