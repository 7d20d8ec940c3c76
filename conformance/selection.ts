import type { JudgeOptions, KnownFailure } from './options.ts'
import { catalogue } from './rules/catalogue.ts'

/** Which rules are to be judged, and which of them are known to fail. */
export interface Selection {
  includes(id: string): boolean
  /** Why a rule is known to fail at a time, in Unix milliseconds; `undefined` where it is not, or no longer. */
  knownFailure(id: string, now: number): string | undefined
}

/** Reads the filters and the known failures. Throws a TypeError on an id that no rule has, or a date that is none. */
export function readSelection({ only, skip = [], knownFailures = [], now }: JudgeOptions): Selection {
  checkIds('only', only ?? [])
  checkIds('skip', skip)
  checkIds(
    'knownFailures',
    knownFailures.map(({ rule }) => rule),
  )
  for (const { rule, until } of knownFailures) {
    if (until !== undefined) checkDate(`knownFailures: until of ${rule}`, Date.parse(until))
  }
  if (now !== undefined) checkDate('now', now.getTime())
  return {
    includes: (id) => (only?.includes(id) ?? true) && !skip.includes(id),
    knownFailure: (id, time) =>
      knownFailures.find(({ rule, until }) => rule === id && counts(until, time))?.reason,
  }
}

function counts(until: KnownFailure['until'], time: number): boolean {
  return until === undefined || time < Date.parse(until)
}

function checkIds(option: string, ids: readonly string[]): void {
  const unknown = ids.find((id) => !catalogue.some((rule) => rule.id === id))
  if (unknown !== undefined) throw new TypeError(`${option}: there is no rule ${unknown}`)
}

function checkDate(option: string, time: number): void {
  if (Number.isNaN(time)) throw new TypeError(`${option} is no date`)
}
