import { plural } from '../transcript/printable.ts'
import { shortened } from './facts.ts'
import type { Cause, Report, RuleResult } from './report.ts'
import { listBrokenRules, verdictNames, verdicts } from './report.ts'

/**
 * The exit code of a program that judged a deployment. 0: every selected MUST holds or does not apply. 1: a MUST is
 * broken, or a known failure no longer fails. 3: something selected could not be judged.
 */
export type ExitCode = 0 | 1 | 3

/**
 * Returns the exit code for a report.
 *
 * @param report The report of `judge` or `runConformance`.
 * @param options.allowInconclusive Whether a MUST without evidence is ignored; false by default. If the run ended
 * early, it is not ignored.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { exitCode, judge, readTranscript } from 'pet-adoption-service/conformance'
 *
 * const report = judge(readTranscript(readFileSync('transcript.json', 'utf8')))
 * process.exitCode = exitCode(report, { allowInconclusive: true })
 */
export function exitCode(
  { rules, endedEarly }: Report,
  { allowInconclusive = false }: { readonly allowInconclusive?: boolean } = {},
): ExitCode {
  const selected = rules.filter(({ deselected }) => deselected === undefined)
  const hasFailure = selected.some(({ verdict, known }) =>
    known === undefined ? verdict === 'fail' : verdict === 'pass',
  )
  if (hasFailure) return 1
  const ended = endedEarly !== undefined
  const open = selected.some(
    ({ verdict, level }) =>
      (verdict === 'not-run' && ended) ||
      (verdict === 'inconclusive' && level === 'MUST' && (ended || !allowInconclusive)),
  )
  return open ? 3 : 0
}

/** Returns how long a run took, such as `2.0 s`. */
export const duration = ({ durationMs }: Report): string => `${(durationMs / 1000).toFixed(1)} s`

/** The verdict that has the colour of the exit code of a report. */
export function tone(report: Report): 'pass' | 'fail' | 'warn' {
  return ({ 0: 'pass', 1: 'fail', 3: 'warn' } as const)[exitCode(report)]
}

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
export function runProblems({ rules, endedEarly }: Report): readonly RunProblem[] {
  const fixed = rules.filter(({ known, verdict }) => known !== undefined && verdict === 'pass')
  return [
    ...(endedEarly === undefined
      ? []
      : [{ kind: 'error', title: 'The run ended early', message: endedEarly } as const]),
    ...fixed.map(({ id, known }): RunProblem => {
      const message = `remove ${id} from the known failures (its reason there: ${known})`
      return { kind: 'failure', title: `${id} no longer fails`, message }
    }),
  ]
}

/**
 * Returns how many failures have a cause, such as `3 causes behind 19 failures`. Without failures, the rules that could
 * not be judged count, and without those, the warnings. Returns `undefined` if none of them has a cause.
 */
export function formatCauseHeadline(report: Report): string | undefined {
  const { failures, warnings } = listBrokenRules(report)
  if (failures.length > 0) return behind(report, failures, 'failure')
  const undecided = report.rules.filter(
    ({ verdict, deselected }) =>
      verdict === 'inconclusive' || (verdict === 'not-run' && deselected === undefined),
  )
  return behind(report, undecided, 'rule', ' that could not be judged') ?? behind(report, warnings, 'warning')
}

/** Returns how many of some rules have a cause; `undefined` if none has. */
function behind(report: Report, rules: readonly RuleResult[], noun: string, rest = ''): string | undefined {
  const ids = new Set(rules.map(({ id }) => id))
  const explained = report.causes.map((cause) => cause.rules.filter((id) => ids.has(id)))
  const count = explained.flat().length
  if (count === 0) return undefined
  const causes = explained.filter((some) => some.length > 0).length
  const of = count < ids.size ? `${count} of ${plural(ids.size, noun)}` : plural(count, noun)
  return `${plural(causes, 'cause')} behind ${of}${rest}`
}

/** Returns the outcome of a run in one sentence, and the rules that decide it. */
export function outcome(report: Report): { readonly text: string; readonly rules: readonly RuleResult[] } {
  const { failures, known } = listBrokenRules(report)
  const causes = formatCauseHeadline(report)
  if (failures.length > 0) {
    const explained = new Set(report.causes.flatMap(({ rules }) => rules))
    const text = causes ?? `${plural(failures.length, 'requirement')} of the interface broken`
    return { text, rules: failures.filter(({ id }) => causes === undefined || explained.has(id)) }
  }
  const problems = runProblems(report).map(({ title }) => title)
  if (problems.length > 0) return { text: [...problems, causes ?? []].flat().join('; '), rules: [] }
  const open = report.rules.filter(({ level, verdict }) => level === 'MUST' && verdict === 'inconclusive')
  const count = known.filter(({ verdict }) => verdict === 'fail').length
  const besides = count > 0 ? ` besides ${plural(count, 'known failure')}` : ''
  if (open.length > 0) {
    const text = `Nothing broken${besides}, but ${plural(open.length, 'requirement')} could not be judged`
    return { text, rules: open }
  }
  if (report.summary.pass === 0) return { text: 'Nothing was judged', rules: [] }
  return { text: `Every requirement that was judged holds${besides}`, rules: [] }
}

/** Returns the outcome of a run in one sentence, with the ids of the first rules that decide it. */
export function formatHeadline(report: Report): string {
  const { text, rules } = outcome(report)
  return rules.length === 0 ? text : `${text}: ${shortened(rules.map(({ id }) => id))}`
}

/** Returns the finding of a broken rule in a few words, such as `200 instead of 401`. */
export function summarizeRule({ expected, evidence, reason }: RuleResult): string {
  const [, status] = /^status (\d{3})$/.exec(expected ?? '') ?? []
  return status === undefined || evidence === undefined ? reason : `${evidence.status} instead of ${status}`
}

/** Returns the rules that a cause explains, in the order of the report. */
export function explainedBy(cause: Cause, { rules }: Report): readonly RuleResult[] {
  return rules.filter(({ id }) => cause.rules.includes(id))
}

/** Returns the broken rules that no cause explains, the most severe first and the known ones last. */
export function findUnexplained(report: Report): readonly RuleResult[] {
  const explained = new Set(report.causes.flatMap(({ rules }) => rules))
  const { failures, warnings, known } = listBrokenRules(report)
  return [...failures, ...warnings, ...known].filter(({ id }) => !explained.has(id))
}

/** Returns how many rules have each verdict, such as `2 failed`, and their ids, the most severe first. */
export function groupByVerdict(
  rules: readonly RuleResult[],
): readonly { readonly count: string; readonly ids: readonly string[] }[] {
  return verdictNames.flatMap((name) => {
    const ids = rules.filter(({ verdict }) => verdict === name).map(({ id }) => id)
    return ids.length === 0 ? [] : [{ count: `${ids.length} ${verdicts[name].counted}`, ids }]
  })
}
