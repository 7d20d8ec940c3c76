import { plural } from '../report/outcome.ts'
import type { ChangedRule, Comparison } from './compare.ts'

/** A group of changed rules with its heading. */
export interface ChangeGroup {
  readonly heading: string
  readonly kind: 'worse' | 'better' | 'other'
  readonly rules: readonly ChangedRule[]
}

/** Returns the groups of changed rules that are not empty, the worst first. */
export function changeGroups({ regressions, broken, mended, others }: Comparison): readonly ChangeGroup[] {
  const all: readonly ChangeGroup[] = [
    { heading: 'Got worse', kind: 'worse', rules: regressions },
    { heading: 'Broken, and not judged in the baseline or known', kind: 'other', rules: broken },
    { heading: 'Got better', kind: 'better', rules: mended },
    { heading: 'Other verdicts that changed', kind: 'other', rules: others },
  ]
  return all.filter(({ rules }) => rules.length > 0)
}

/** Returns the outcome of a comparison in one sentence. */
export function comparisonHeadline(comparison: Comparison): string {
  const { regressions, mended, rules, baseline, current } = comparison
  const ended = [baseline, current].flatMap(({ baseUrl, endedEarly }) =>
    endedEarly === undefined ? [] : [`the run against ${baseUrl} ended early`],
  )
  const worse =
    regressions.length > 0
      ? `${plural(regressions.length, 'rule')} got worse: ${regressions.map(({ rule }) => rule).join(', ')}`
      : `None of ${plural(rules, 'rule')} got worse`
  const better = mended.length > 0 ? [`${mended.length} got better`] : []
  return [worse, ...better, ...ended].join('; ')
}

/** Returns the median times of a comparison in words; `undefined` if no exchange is in both runs. */
export function medianLine({ timings: { median } }: Comparison): string | undefined {
  return median && `median of a response: ${median.before} ms before, ${median.after} ms now`
}
