import { shortened } from './facts.ts'
import type { Report } from './report.ts'
import { brokenRules } from './verdicts.ts'

/** A count with its noun, such as `1 request` and `2 requests`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * What keeps a run from counting as good though no rule is to blame: each a sentence that says what to do.
 * `fault` is a set-up fault, as against a `failure` of what was judged.
 */
export interface RunProblem {
  readonly kind: 'fault' | 'failure'
  readonly title: string
  readonly message: string
}

/** A run that ended early, and known failures that no longer fail. */
export function runProblems(report: Report): readonly RunProblem[] {
  const fixed = report.rules.filter((rule) => rule.known !== undefined && rule.verdict === 'pass')
  return [
    ...(report.endedEarly === undefined
      ? []
      : [{ kind: 'fault', title: 'The run ended early', message: report.endedEarly } as const]),
    ...fixed.map(
      ({ id, known }) =>
        ({
          kind: 'failure',
          title: `${id} no longer fails`,
          message: `take ${id} out of the known failures (listed there: ${known})`,
        }) as const,
    ),
  ]
}

/** The run in one sentence. */
export function headline(report: Report): string {
  const failures = brokenRules(report).failures
  if (failures.length > 0) {
    return `${plural(failures.length, 'requirement')} of the specification broken: ${failures.map(({ id }) => id).join(', ')}`
  }
  const faults = runProblems(report)
  if (faults.length > 0) return faults.map(({ title }) => title).join('; ')
  const open = report.rules.filter(({ level, verdict }) => level === 'MUST' && verdict === 'inconclusive')
  if (open.length > 0) {
    const names = shortened(open.map(({ id }) => id))
    return `Nothing broken, but ${plural(open.length, 'requirement')} could not be judged: ${names}`
  }
  return report.summary.pass === 0 ? 'Nothing was judged' : 'Every requirement that was judged holds'
}
