import { UsageError } from '../errors.ts'
import type { FlagName } from './flags.ts'

/** The value of a flag; `on` for a flag without a value. */
export interface Setting {
  readonly value: string
  /** Where it was set, for messages: `--port` or `PORT`. */
  readonly source: string
}

/** All settings. A flag that is not set is absent. */
export type Settings = Readonly<Partial<Record<FlagName, Setting>>>

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns whether a setting is from the command line. */
export function isFlag(setting: Setting | undefined): setting is Setting {
  return setting?.source.startsWith('--') ?? false
}

/** Reads a whole number, without leading zeros. Throws `UsageError`. */
export function readWhole({ value, source }: Setting, min: number, max: number, note = ''): number {
  const number = /^(?:0|[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`${source} must be a whole number from ${min} to ${max}${note}`)
}

/**
 * Returns which of several flags that exclude each other is set; undefined where none is. The command line wins over
 * the environment. Throws `UsageError` where two are set in the same place.
 */
export function oneOf<Name extends FlagName>(settings: Settings, names: readonly Name[]): Name | undefined {
  const set = names.filter((name) => settings[name])
  const onCommandLine = set.filter((name) => isFlag(settings[name]))
  const [first, second] = onCommandLine.length > 0 ? onCommandLine : set
  if (first && second) {
    const [one, other] = [settings[first]?.source, settings[second]?.source]
    throw new UsageError(`${one} and ${other} exclude each other: give one of them`)
  }
  return first
}
