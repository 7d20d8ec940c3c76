import { pluralize } from '../transcript/printable.ts'
import { findKeyRejection } from '../transcript/responses.ts'
import { formatIds } from './facts.ts'
import type { Cause, Report, RuleResult } from './report.ts'
import { listBrokenRules, verdictNames, verdicts } from './report.ts'

/** The exit codes of a run that was judged. */
export type ExitCode = 0 | 1 | 3

/**
 * Returns the exit code for a report.
 *
 * - 0: all selected requirements hold or do not apply.
 * - 1: a requirement is broken, or a known failure no longer fails.
 * - 3: a selected rule could not be judged.
 *
 * @param report The report of {@link judge} or {@link runConformance}.
 * @param options.allowInconclusive Whether requirements without evidence are ignored, `false` by default. They are not
 * ignored if the run ended early or the key was rejected.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { exitCode, readReport } from 'pet-adoption-service/conformance'
 *
 * const report = readReport(readFileSync('report.json', 'utf8'))
 * process.exitCode = exitCode(report, { allowInconclusive: true })
 */
export function exitCode(
  { rules, endedEarly, exchanges }: Report,
  { allowInconclusive = false }: { readonly allowInconclusive?: boolean } = {},
): ExitCode {
  const selectedRules = rules.filter(({ deselected }) => deselected === undefined)
  const hasFailure = selectedRules.some(({ verdict, known }) =>
    known === undefined ? verdict === 'fail' : verdict === 'pass',
  )
  if (hasFailure) return 1
  const hasEndedEarly = endedEarly !== undefined || findKeyRejection(exchanges) !== undefined
  const hasOpenRules = selectedRules.some(
    ({ verdict, level }) =>
      (verdict === 'not-run' && hasEndedEarly) ||
      (verdict === 'inconclusive' && level === 'MUST' && (hasEndedEarly || !allowInconclusive)),
  )
  return hasOpenRules ? 3 : 0
}

/** Formats a run's duration, such as `2.0 s`. */
export const formatDuration = ({ durationMs }: Report): string => `${(durationMs / 1000).toFixed(1)} s`

/** Chooses the color for a report's outcome. */
export function chooseTone(report: Report): 'pass' | 'fail' | 'warn' {
  return ({ 0: 'pass', 1: 'fail', 3: 'warn' } as const)[exitCode(report)]
}

/**
 * A problem of the whole run, with advice. An `error` kept the suite from judging rules. A `failure` is a known failure
 * that no longer fails.
 */
export interface RunProblem {
  readonly kind: 'error' | 'failure'
  readonly title: string
  readonly message: string
}

export function listRunProblems({ rules, endedEarly, exchanges }: Report): readonly RunProblem[] {
  const fixedRules = rules.filter(({ known, verdict }) => known !== undefined && verdict === 'pass')
  const keyRejection = findKeyRejection(exchanges)
  const errors = {
    'The run ended early': endedEarly,
    'The key was rejected': keyRejection && `${keyRejection}; use a key that the deployment accepts`,
  }
  return [
    ...Object.entries(errors).flatMap(([title, message]): readonly RunProblem[] =>
      message ? [{ kind: 'error', title, message }] : [],
    ),
    ...fixedRules.map(({ id, known }): RunProblem => {
      const message = `remove ${id} from the known failures (its reason there: ${known})`
      return { kind: 'failure', title: `${id} no longer fails`, message }
    }),
  ]
}

/**
 * Formats how many causes explain the failures, such as `2 causes behind 5 failures`. Without failures, counts rules
 * that could not be judged, or else warnings. Returns `undefined` if no cause explains any of them.
 */
export function formatCauseHeadline(report: Report): string | undefined {
  const { failures, warnings } = listBrokenRules(report)
  if (failures.length > 0) return formatCauseCount(report, failures, 'failure')
  const undecidedRules = report.rules.filter(
    ({ verdict, deselected }) =>
      verdict === 'inconclusive' || (verdict === 'not-run' && deselected === undefined),
  )
  return (
    formatCauseCount(report, undecidedRules, 'rule', ' that could not be judged') ??
    formatCauseCount(report, warnings, 'warning')
  )
}

function formatCauseCount(
  report: Report,
  rules: readonly RuleResult[],
  noun: string,
  rest = '',
): string | undefined {
  const ruleIds = new Set(rules.map(({ id }) => id))
  const explainedIds = report.causes.map((cause) => cause.rules.filter((id) => ruleIds.has(id)))
  const explainedCount = explainedIds.flat().length
  if (explainedCount === 0) return undefined
  const causeCount = explainedIds.filter((some) => some.length > 0).length
  const prefix = explainedCount < ruleIds.size ? `${explainedCount} of ` : ''
  return `${pluralize(causeCount, 'cause')} behind ${prefix}${pluralize(ruleIds.size, noun)}${rest}`
}

/** Describes a run's outcome in one sentence, and lists the rules that decide it. */
export function describeOutcome(report: Report): {
  readonly text: string
  readonly rules: readonly RuleResult[]
} {
  const { failures, known } = listBrokenRules(report)
  const causeHeadline = formatCauseHeadline(report)
  if (failures.length > 0) {
    if (causeHeadline === undefined)
      return { text: `${pluralize(failures.length, 'requirement')} broken`, rules: failures }
    const explainedIds = new Set(report.causes.flatMap(({ rules }) => rules))
    return { text: causeHeadline, rules: failures.filter(({ id }) => explainedIds.has(id)) }
  }
  const problems = listRunProblems(report).map(({ title }) => title)
  if (problems.length > 0) return { text: [...problems, causeHeadline ?? []].flat().join('; '), rules: [] }
  const openRules = report.rules.filter(
    ({ level, verdict }) => level === 'MUST' && verdict === 'inconclusive',
  )
  const knownFailureCount = known.filter(({ verdict }) => verdict === 'fail').length
  const exceptionPhrase =
    knownFailureCount > 0 ? ` except for ${pluralize(knownFailureCount, 'known failure')}` : ''
  if (openRules.length > 0) {
    const headlineText = `No requirement broken${exceptionPhrase}, but ${pluralize(openRules.length, 'requirement')} could not be judged`
    return { text: headlineText, rules: openRules }
  }
  if (report.summary.pass === 0) return { text: 'Nothing was judged', rules: [] }
  return { text: `All judged requirements hold${exceptionPhrase}`, rules: [] }
}

/** Formats the outcome in one line, with the first ids of the rules that decide it. */
export function formatHeadline(report: Report): string {
  const { text, rules } = describeOutcome(report)
  return rules.length === 0 ? text : `${text}: ${formatIds(rules.map(({ id }) => id))}`
}

/** Summarizes a broken rule, such as `200 instead of 401`. */
export function summarizeRule({ expected, evidence, reason }: RuleResult): string {
  const [, status] = /^status (\d{3})$/.exec(expected ?? '') ?? []
  return status === undefined || evidence === undefined ? reason : `${evidence.status} instead of ${status}`
}

export function listExplainedRules(cause: Cause, { rules }: Report): readonly RuleResult[] {
  return rules.filter(({ id }) => cause.rules.includes(id))
}

/** Lists the broken rules that no cause explains: failures, then warnings, then known failures. */
export function listUnexplainedRules(report: Report): readonly RuleResult[] {
  const explainedIds = new Set(report.causes.flatMap(({ rules }) => rules))
  const { failures, warnings, known } = listBrokenRules(report)
  return [...failures, ...warnings, ...known].filter(({ id }) => !explainedIds.has(id))
}

/** Groups rules by their verdicts, from most to least severe. */
export function groupByVerdict(
  rules: readonly RuleResult[],
): readonly { readonly count: string; readonly ids: readonly string[] }[] {
  return verdictNames.flatMap((name) => {
    const ruleIds = rules.filter(({ verdict }) => verdict === name).map(({ id }) => id)
    return ruleIds.length === 0 ? [] : [{ count: `${ruleIds.length} ${verdicts[name].label}`, ids: ruleIds }]
  })
}
