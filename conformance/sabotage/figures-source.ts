import { catalogue } from '../index.ts'
import { broken } from './broken.ts'
import { degenerate } from './degenerate.ts'
import { degenerateSockets } from './degenerate-sockets.ts'
import { legal } from './legal.ts'
import { inOrder } from './trial.ts'
import type { TriedMutation } from './try-mutations.ts'

/** The widest line that the formatter leaves on one line. */
const lineWidth = 110

/** Returns the source text of `figures.ts` for the result of trying every mutation. */
export function figuresSource(tried: readonly TriedMutation[]): string {
  const sum = (count: (mutation: TriedMutation) => number): number =>
    tried.reduce((total, mutation) => total + count(mutation), 0)
  return `// Written by print-figures.ts.

/** How thoroughly the suite is tried. */
export const figures = {
  rules: ${catalogue.length},
  /** Deployments that break a rule. */
  broken: ${broken.length},
  /** Deployments that differ from the reference in a way that the spec allows. */
  legal: ${legal.length},
  /** Servers that are not a deployment of the interface. */
  degenerate: ${degenerate.length + degenerateSockets.length},
  /** Ways to falsify a transcript. */
  mutations: ${tried.length},
  /** Falsified transcripts. */
  mutants: ${sum(({ mutants }) => mutants)},
  /** Falsified transcripts that break at least one rule; the others differ in what the spec leaves open. */
  detected: ${sum(({ detected }) => detected)},
} as const

/** The rules that detect each mutation, family by family. */
export const detectedBy: Readonly<Record<string, string>> = {
${tried.map(({ does, brokenRules }) => property(does, brief(brokenRules))).join('\n')}
}
`
}

function property(name: string, value: string): string {
  const line = `  '${name}': '${value}',`
  return line.length <= lineWidth ? line : `  '${name}':\n    '${value}',`
}

/** Ids in short, family by family: `AUTH 1-3 7, ERR 2`. */
function brief(ids: readonly string[]): string {
  const parts = inOrder(ids).map((id) => id.split('-'))
  const families = [...new Set(parts.map(([family]) => family))]
  return families
    .map(
      (family) =>
        `${family} ${ranges(parts.filter(([other]) => other === family).map(([, n]) => Number(n)))}`,
    )
    .join(', ')
}

/** Ascending numbers with consecutive ones as a range: `1-3 7`. */
function ranges(numbers: readonly number[]): string {
  const starts = numbers.filter((n) => !numbers.includes(n - 1))
  const ends = numbers.filter((n) => !numbers.includes(n + 1))
  return starts.map((start, n) => (start === ends[n] ? start : `${start}-${ends[n]}`)).join(' ')
}
