import { catalogue, plan } from '../index.ts'
import { profiles } from '../steps/profile.ts'

import { broken } from './broken.ts'
import { degenerate } from './degenerate.ts'
import { degenerateSockets } from './degenerate-sockets.ts'
import { legal } from './legal.ts'
import { inOrder } from './trial.ts'
import type { TriedMutation } from './try-mutations.ts'

/** The documents that quote figures, from this folder. */
export const documents: readonly string[] = ['README.md', '../README.md']

/** Figures by name. A document quotes one as `<!-- figure NAME -->` and the number. */
export type Figures = Readonly<Record<string, number>>

/** Counts the rules, what they are tried on, and what a run of each profile costs. */
export function countFigures(tried: readonly TriedMutation[]): Figures {
  const sum = (count: (mutation: TriedMutation) => number): number =>
    tried.reduce((total, mutation) => total + count(mutation), 0)
  const costs = profiles.map((profile) => {
    const planned = plan({
      baseUrl: 'http://pets.test/v1',
      key: 'a-key',
      throttleKey: 'another-key',
      profile,
    })
    return [
      [`requests-${profile}`, planned.requests],
      [`animals-${profile}`, planned.creations.most],
      [`percent-of-minute-${profile}`, Math.round(planned.shareOfFree.minute * 100)],
    ] as const
  })
  return {
    rules: catalogue.length,
    'broken-deployments': broken.length,
    'legal-deployments': legal.length,
    'degenerate-servers': degenerate.length + degenerateSockets.length,
    mutations: tried.length,
    mutants: sum(({ mutants }) => mutants),
    'detected-mutants': sum(({ detected }) => detected),
    ...Object.fromEntries(costs.flat()),
  }
}

/** Returns a document with every figure that it quotes corrected. */
export function withFigures(document: string, figures: Figures): string {
  return document.replace(/(<!-- figure (\S+) -->)[\d,]+/g, (quoted, mark: string, name: string) => {
    const figure = figures[name]
    return figure === undefined ? quoted : mark + figure.toLocaleString('en')
  })
}

/** Returns the text of `snapshot.txt`: every figure, every rule, and the rules that detect each mutation. */
export function snapshotText(tried: readonly TriedMutation[]): string {
  const rules = catalogue.map(
    ({ id, level, section, profile, title }) => `${id} ${level} ${section} ${profile}: ${title}`,
  )
  return [
    'Written by write-snapshot.ts.',
    ...Object.entries(countFigures(tried)).map(([name, figure]) => `${name}: ${figure}`),
    'Rules',
    ...rules,
    'Rules that detect each mutation',
    ...tried.map(({ does, brokenRules }) => `${does}: ${brief(brokenRules)}`),
    '',
  ].join('\n')
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
