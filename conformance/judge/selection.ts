import { catalogue } from '../rules/catalogue.ts'
import type { JudgeOptions } from '../run/options.ts'
import { names } from './known-failures.ts'

/** Which rules to judge. */
export interface Selection {
  includes(id: string): boolean
}

/** Reads the filters and the known failures. Throws a TypeError if a rule is unknown or a date is invalid. */
export function readSelection({ only, skip = [], knownFailures = [], now }: JudgeOptions): Selection {
  checkIds('only', only ?? [])
  checkIds('skip', skip)
  for (const { rule } of knownFailures) {
    if (!catalogue.some(({ id }) => names(rule, id)))
      throw new TypeError(`knownFailures names the unknown rule ${rule}`)
  }
  for (const { rule, until } of knownFailures) {
    if (until !== undefined) checkDate(`the until of ${rule} in knownFailures`, Date.parse(until))
  }
  if (now !== undefined) checkDate('now', now.getTime())
  return {
    includes: (id) => (only?.includes(id) ?? true) && !skip.includes(id),
  }
}

function checkIds(option: string, ids: readonly string[]): void {
  const unknown = ids.find((id) => !catalogue.some((rule) => rule.id === id))
  if (unknown !== undefined) throw new TypeError(`${option} names the unknown rule ${unknown}`)
}

function checkDate(option: string, time: number): void {
  if (Number.isNaN(time)) throw new TypeError(`${option} must be a valid date`)
}
