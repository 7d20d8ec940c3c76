import type { JudgeOptions, KnownFailure } from './options.ts'
import { catalogue } from './rules/catalogue.ts'

/** Which rules to judge, and which of them are known to fail. */
export interface Selection {
  includes(id: string): boolean
  /** Returns the reason of a known failure at a time in Unix milliseconds; `undefined` if there is none at that time. */
  knownFailure(id: string, now: number): string | undefined
}

/** Reads the filters and the known failures. Throws a TypeError if a rule is unknown or a date is invalid. */
export function readSelection({ only, skip = [], knownFailures = [], now }: JudgeOptions): Selection {
  checkIds('only', only ?? [])
  checkIds('skip', skip)
  checkIds(
    'knownFailures',
    knownFailures.map(({ rule }) => rule),
  )
  for (const { rule, until } of knownFailures) {
    if (until !== undefined) checkDate(`the until of ${rule} in knownFailures`, Date.parse(until))
  }
  if (now !== undefined) checkDate('now', now.getTime())
  return {
    includes: (id) => (only?.includes(id) ?? true) && !skip.includes(id),
    knownFailure: (id, time) =>
      knownFailures.find(({ rule, until }) => rule === id && isInEffect(until, time))?.reason,
  }
}

function isInEffect(until: KnownFailure['until'], time: number): boolean {
  return until === undefined || time < Date.parse(until)
}

function checkIds(option: string, ids: readonly string[]): void {
  const unknown = ids.find((id) => !catalogue.some((rule) => rule.id === id))
  if (unknown !== undefined) throw new TypeError(`${option} names the unknown rule ${unknown}`)
}

function checkDate(option: string, time: number): void {
  if (Number.isNaN(time)) throw new TypeError(`${option} must be a valid date`)
}
