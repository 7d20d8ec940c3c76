import type { ServiceOptions } from '../../../core/index.ts'
import { describedDefaults } from '../../../core/internal.ts'
import { UsageError } from '../errors.ts'
import type { CommandName } from './commands.ts'
import { type CommandOf, type FlagName, flagNames, flags, type OptionsOf, type ValueOf } from './flags.ts'
import type { Setting } from './values.ts'

/** Settings by flag name. A flag that is not set is absent. */
export type Settings = { readonly [Name in FlagName]?: Setting<ValueOf<Name>> }

/** Flags that a command must read. Flags that set an option are read by `readOptions`. */
export type FlagOf<Command extends CommandName> = {
  [Name in FlagName]: Command extends CommandOf<Name> ? Name : never
}[FlagName]

/** Settings for a command that reads no flags. */
export type NoSettings = Pick<Settings, never>

/** Checks whether a setting comes from the command line. */
export function isFromCommandLine(setting: Setting<unknown> | undefined): setting is Setting<unknown> {
  return setting?.source.startsWith('--') ?? false
}

/**
 * Returns which setting is given, or `undefined` if none is. Flags on the command line win over environment variables.
 *
 * @throws {UsageError} If two settings from the same source are set.
 */
export function chooseOne<Name extends FlagName>(
  settings: Pick<Settings, Name>,
  names: readonly Name[],
): Name | undefined {
  const set = names.filter((name) => settings[name])
  const onCommandLine = set.filter((name) => isFromCommandLine(settings[name]))
  const [first, second] = onCommandLine.length > 0 ? onCommandLine : set
  if (first && second) {
    const [one, other] = [settings[first]?.source, settings[second]?.source]
    throw new UsageError(`${one} and ${other} cannot be used together`)
  }
  return first
}

/** Returns the server's maximum name length, in characters. `null` means no maximum. */
export function readMaxNameLength(settings: Settings): number | null {
  const { maxNameLength = describedDefaults.maxNameLength }: Partial<ServiceOptions> = readOptions(
    settings,
    'service',
  )
  return maxNameLength
}

/** Collects the service or server options that flags set. The server and the commands share them. */
export function readOptions<Target extends 'service' | 'server'>(
  settings: Settings,
  target: Target,
): OptionsOf<Target> {
  const options = flagNames.flatMap((name) => {
    const setting = settings[name]
    const option = flags[name][target]
    return option && setting ? [[option, setting.value] as const] : []
  })
  return Object.fromEntries(options) as OptionsOf<Target> // each parser returns its option's type
}
