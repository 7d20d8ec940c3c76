import type { RuleResult } from './report.ts'

/** One thing to know about a broken rule. */
export interface Fact {
  readonly name: 'reason' | 'expected' | 'got' | 'known' | 'exchanges' | 'again'
  readonly text: string
}

/** So many ids are named. */
const mostNamed = 5

/** The first few ids, and how many more there are. */
export function shortened(ids: readonly string[]): string {
  const more = ids.length - mostNamed
  return ids.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/**
 * What there is to say about a broken rule, in the order to read it. What is missing is left out, and so is the
 * reason where the rule tells what it expected and what it got: it says the same in a sentence.
 */
export function facts({ reason, expected, got, known, exchanges, curl }: RuleResult): readonly Fact[] {
  const all: readonly { readonly name: Fact['name']; readonly text: string | undefined }[] = [
    { name: 'reason', text: expected && got ? undefined : reason },
    { name: 'expected', text: expected },
    { name: 'got', text: got },
    { name: 'known', text: known },
    { name: 'exchanges', text: shortened(exchanges) },
    { name: 'again', text: curl },
  ]
  return all.flatMap(({ name, text }) => (text ? [{ name, text }] : []))
}
