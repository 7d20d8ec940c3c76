import { shortened } from './facts.ts'
import type { Report } from './report.ts'
import { brokenRules } from './verdicts.ts'

/** Returns a count with its noun, such as `1 request` or `2 requests`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * A problem of the run that is not a broken rule, with a message that says what to do. An `error` is a problem of the
 * set-up, a `failure` one of the judgement.
 */
export interface RunProblem {
  readonly kind: 'error' | 'failure'
  readonly title: string
  readonly message: string
}

/** Returns the problems of a run: an early end, and known failures that no longer fail. */
export function runProblems(report: Report): readonly RunProblem[] {
  const fixed = report.rules.filter((rule) => rule.known !== undefined && rule.verdict === 'pass')
  return [
    ...(report.endedEarly === undefined
      ? []
      : [{ kind: 'error', title: 'The run ended early', message: report.endedEarly } as const]),
    ...fixed.map(
      ({ id, known }) =>
        ({
          kind: 'failure',
          title: `${id} no longer fails`,
          message: `remove ${id} from the known failures (its reason there: ${known})`,
        }) as const,
    ),
  ]
}

/** Returns the outcome of a run in one sentence. */
export function headline(report: Report): string {
  const failures = brokenRules(report).failures
  if (failures.length > 0) {
    return `${plural(failures.length, 'requirement')} of the interface broken: ${failures.map(({ id }) => id).join(', ')}`
  }
  const problems = runProblems(report)
  if (problems.length > 0) return problems.map(({ title }) => title).join('; ')
  const open = report.rules.filter(({ level, verdict }) => level === 'MUST' && verdict === 'inconclusive')
  if (open.length > 0) {
    const names = shortened(open.map(({ id }) => id))
    return `Nothing broken, but ${plural(open.length, 'requirement')} could not be judged: ${names}`
  }
  return report.summary.pass === 0 ? 'Nothing was judged' : 'Every requirement that was judged holds'
}
