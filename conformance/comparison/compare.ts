import { type Change, difference } from '../report/difference.ts'
import type { Report } from '../report/report.ts'
import { isKnown } from '../report/verdicts.ts'
import type { Level, Verdict } from '../rules/rule.ts'

/** A rule whose verdict differs between two reports. */
export interface ChangedRule {
  readonly rule: string
  readonly level: Level
  readonly title: string
  /** The verdict of the baseline; absent if it does not have the rule. */
  readonly before?: Verdict
  readonly after: Verdict
  /** Why the rule has the verdict that it has now. */
  readonly reason: string
}

/** What a deployment decides differently of what the interface leaves open. */
export interface ChangedObservation {
  readonly gap: string
  readonly section: string
  /** Absent if it could not be observed. */
  readonly before?: string
  readonly after?: string
}

/** The time of an exchange in two runs, in milliseconds. */
export interface ChangedTiming {
  readonly exchange: string
  readonly before: number
  readonly after: number
}

/** A run that is compared. */
export interface ComparedRun {
  readonly baseUrl: string
  readonly startedAt: string
  readonly profile: Report['profile']
  /** Why the run ended early; absent if it sent everything. */
  readonly endedEarly?: string
}

/** What differs between the reports of two runs. */
export interface Comparison {
  readonly baseline: ComparedRun
  readonly current: ComparedRun
  /** Rules that held, or did not apply, and are broken now. Known failures are not among them. */
  readonly regressions: readonly ChangedRule[]
  /** Rules that are broken now, and that the baseline could not judge or does not have; and known failures. */
  readonly broken: readonly ChangedRule[]
  /** Rules that were broken, and hold or do not apply now. */
  readonly mended: readonly ChangedRule[]
  /** Other rules with another verdict. */
  readonly others: readonly ChangedRule[]
  /** How many rules were compared: those that both runs selected. */
  readonly rules: number
  readonly observations: readonly ChangedObservation[]
  readonly timings: {
    /** The medians of the exchanges that both runs have, in milliseconds; absent if there are none. */
    readonly median?: { readonly before: number; readonly after: number }
    /** Exchanges whose times differ by a factor of two and by 100 ms at least. */
    readonly changed: readonly ChangedTiming[]
  }
}

/** Times are noted from this factor, and this difference in milliseconds. */
const least = { factor: 2, ms: 100 } as const

/**
 * Compares the report of a run with that of a baseline: the same deployment at another time, or another deployment.
 *
 * @param baseline The report to compare with.
 * @param current The report that may have got better or worse.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { compare, readReport } from 'pet-adoption-service/conformance'
 *
 * const read = (path: string) => readReport(readFileSync(path, 'utf8'))
 * const { regressions } = compare(read('production.json'), read('staging.json'))
 * for (const { rule, before, after } of regressions) console.log(`${rule}: ${before} before, ${after} now`)
 */
export function compare(baseline: Report, current: Report): Comparison {
  const { broke, mended, other } = difference(current, baseline)
  const isRegression = ({ rule, before }: Change): boolean =>
    (before === 'pass' || before === 'not-applicable') && !isKnown(rule)
  return {
    baseline: runOf(baseline),
    current: runOf(current),
    regressions: broke.filter(isRegression).map(changed),
    broken: broke.filter((change) => !isRegression(change)).map(changed),
    mended: mended.map(changed),
    others: other.map(changed),
    rules: comparable(baseline, current),
    observations: observations(baseline, current),
    timings: timings(baseline, current),
  }
}

/**
 * Returns the exit code for a comparison. 0: nothing got worse. 1: there is a regression. 3: a run ended early, so that
 * regressions may have been missed.
 *
 * @param comparison What `compare` returned.
 * @example
 * import { compare, comparisonExitCode, runConformance } from 'pet-adoption-service/conformance'
 *
 * const key = 'key-of-a-test-account'
 * const production = await runConformance({ baseUrl: 'https://api.example.com/v1', key })
 * const staging = await runConformance({ baseUrl: 'https://staging.example.com/v1', key })
 * process.exitCode = comparisonExitCode(compare(production, staging))
 */
export function comparisonExitCode({ regressions, baseline, current }: Comparison): 0 | 1 | 3 {
  if (regressions.length > 0) return 1
  return baseline.endedEarly === undefined && current.endedEarly === undefined ? 0 : 3
}

function runOf({ target, startedAt, profile, endedEarly }: Report): ComparedRun {
  return { baseUrl: target.baseUrl, startedAt, profile, ...(endedEarly !== undefined && { endedEarly }) }
}

function changed({ rule, before }: Change): ChangedRule {
  const { id, level, title, verdict, reason } = rule
  return { rule: id, level, title, ...(before !== undefined && { before }), after: verdict, reason }
}

function comparable(baseline: Report, current: Report): number {
  const selected = ({ rules }: Report): ReadonlySet<string> =>
    new Set(rules.flatMap(({ id, deselected }) => (deselected === undefined ? [id] : [])))
  const before = selected(baseline)
  return [...selected(current)].filter((id) => before.has(id)).length
}

function observations(baseline: Report, current: Report): readonly ChangedObservation[] {
  const gaps = new Map([...baseline.observations, ...current.observations].map((one) => [one.gap, one]))
  const observed = (report: Report, gap: string): string | undefined =>
    report.observations.find((one) => one.gap === gap)?.observed
  return [...gaps.values()].flatMap(({ gap, section }) => {
    const [before, after] = [observed(baseline, gap), observed(current, gap)]
    if (before === after) return []
    return [{ gap, section, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
  })
}

function timings(baseline: Report, current: Report): Comparison['timings'] {
  const times = new Map(baseline.exchanges.map(({ id, response }) => [id, response?.ms]))
  const both = current.exchanges.flatMap(({ id, response }): readonly ChangedTiming[] => {
    const before = times.get(id)
    return before === undefined || response === undefined
      ? []
      : [{ exchange: id, before, after: response.ms }]
  })
  const median = both.length > 0 && {
    median: {
      before: medianOf(both.map(({ before }) => before)),
      after: medianOf(both.map(({ after }) => after)),
    },
  }
  return { ...median, changed: both.filter(({ before, after }) => isNoted(before, after)) }
}

function isNoted(before: number, after: number): boolean {
  const [less, more] = before < after ? [before, after] : [after, before]
  return more >= less * least.factor && more - less >= least.ms
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
