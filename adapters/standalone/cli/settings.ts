import { UsageError } from '../errors.ts'
import type { FlagName } from './flags.ts'

/** What a flag is set to; `on` for a flag without a value. */
export interface Setting {
  readonly value: string
  /** Where that was said, for messages: `--port` or `PORT`. */
  readonly source: string
}

/** All that is set, and the defaults; a flag that nobody set and that has no default is absent. */
export type Settings = Readonly<Partial<Record<FlagName, Setting>>>

export type Environment = Readonly<Record<string, string | undefined>>

/** Whether it was said on the command line. */
export function isFlag(setting: Setting | undefined): setting is Setting {
  return setting?.source.startsWith('--') ?? false
}

/**
 * The one that is set of several flags that exclude each other; undefined where none is. What the command line says
 * wins over the environment; two of either are a `UsageError`.
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
