import { plural } from '../transcript/printable.ts'
import { type Fact, facts, shortened } from './facts.ts'
import type { Cause, Report, RuleResult } from './report.ts'
import { type BrokenRules, brokenRules, isBroken, verdictNames, verdicts } from './report.ts'

/** Returns how long a run took, such as `2.0 s`. */
export const duration = ({ durationMs }: Report): string => `${(durationMs / 1000).toFixed(1)} s`

/** Whether a requirement is broken, or else whether the run leaves something to do: its exit code is 1 or 3. */
export function tone(report: Report): 'fail' | 'warn' | 'pass' {
  if (brokenRules(report).failures.length > 0) return 'fail'
  return runProblems(report).length > 0 || openRequirements(report).length > 0 ? 'warn' : 'pass'
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
export function runProblems(report: Report): readonly RunProblem[] {
  const fixed = report.rules.filter(({ known, verdict }) => known !== undefined && verdict === 'pass')
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

/**
 * Returns how many failures have a cause, such as `3 causes behind 19 failures`. Without failures, the rules that could
 * not be judged count, and without those, the warnings. Returns `undefined` if none of them has a cause.
 */
export function causeHeadline(report: Report): string | undefined {
  const { failures, warnings } = brokenRules(report)
  if (failures.length > 0) return behind(report, failures, 'failure')
  return (
    behind(report, undecided(report), 'rule', ' that could not be judged') ??
    behind(report, warnings, 'warning')
  )
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

function undecided({ rules }: Report): readonly RuleResult[] {
  return rules.filter(
    ({ verdict, deselected }) =>
      verdict === 'inconclusive' || (verdict === 'not-run' && deselected === undefined),
  )
}

/** Returns the outcome of a run in one sentence, with the ids of the rules that decide it. */
export function headline(report: Report): string {
  const failures = brokenRules(report).failures
  if (failures.length > 0) return `${shortHeadline(report)}: ${failures.map(({ id }) => id).join(', ')}`
  const problems = runProblems(report)
  if (problems.length > 0) return shortHeadline(report)
  const open = openRequirements(report)
  return open.length > 0
    ? `${shortHeadline(report)}: ${shortened(open.map(({ id }) => id))}`
    : shortHeadline(report)
}

/** Returns the outcome of a run in a few words, without the ids of rules. */
export function shortHeadline(report: Report): string {
  const { failures, known } = brokenRules(report)
  const causes = causeHeadline(report)
  if (failures.length > 0)
    return causes ?? `${plural(failures.length, 'requirement')} of the interface broken`
  const problems = runProblems(report).map(({ title }) => title)
  if (problems.length > 0) return [...problems, ...(causes === undefined ? [] : [causes])].join('; ')
  const open = openRequirements(report).length
  const count = known.filter(({ verdict }) => verdict === 'fail').length
  const besides = count > 0 ? ` besides ${plural(count, 'known failure')}` : ''
  if (open > 0) return `Nothing broken${besides}, but ${plural(open, 'requirement')} could not be judged`
  return report.summary.pass === 0
    ? 'Nothing was judged'
    : `Every requirement that was judged holds${besides}`
}

function openRequirements({ rules }: Report): readonly RuleResult[] {
  return rules.filter(({ level, verdict }) => level === 'MUST' && verdict === 'inconclusive')
}

/** A cause with its broken rules. */
export interface CauseGroup {
  readonly cause: Cause
  /** From 1. */
  readonly number: number
  /** The rules that it explains, in the order of the report. */
  readonly rules: readonly RuleResult[]
  /** Those of them that are broken. */
  readonly broken: readonly RuleResult[]
}

/** Returns the causes of a report with their rules. */
export function causeGroups({ causes, rules }: Report): readonly CauseGroup[] {
  return causes.map((cause, index) => {
    const explained = rules.filter(({ id }) => cause.rules.includes(id))
    return { cause, number: index + 1, rules: explained, broken: explained.filter(isBroken) }
  })
}

/** Returns the broken rules that no cause explains, by severity. */
export function unexplained(report: Report): BrokenRules {
  const explained = new Set(report.causes.flatMap(({ rules }) => rules))
  return brokenRules({ rules: report.rules.filter(({ id }) => !explained.has(id)) })
}

/** Returns what a page says of the run, in the order in which to read it. */
export function runFacts(report: Report): readonly (readonly [name: string, value: string])[] {
  return [
    ['Profile', report.profile],
    ['Started', report.startedAt],
    ['Took', duration(report)],
    ['Requests', String(report.requests)],
    ['Animals created', String(report.creates)],
  ]
}

/** Returns the facts about one broken rule, with its cause. */
export function factsOf(rule: RuleResult, { causes }: Report): readonly Fact[] {
  return facts(
    rule,
    causes.find(({ rules }) => rules.includes(rule.id)),
  )
}

/** Returns how many rules have each verdict and which, such as `2 failed: LIST-1, LIST-2`, the most severe first. */
export function byVerdict(
  rules: readonly RuleResult[],
  list = (ids: readonly string[]): string => ids.join(', '),
): readonly string[] {
  return verdictNames.flatMap((name) => {
    const ids = rules.filter(({ verdict }) => verdict === name).map(({ id }) => id)
    return ids.length === 0 ? [] : [`${ids.length} ${verdicts[name].counted}: ${list(ids)}`]
  })
}
