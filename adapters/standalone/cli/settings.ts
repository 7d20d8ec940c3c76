import type { ServiceOptions } from '../../../core/index.ts'
import { describedDefaults } from '../../../core/internal.ts'
import type { PetServerOptions } from '../../node-http/index.ts'
import { UsageError } from '../errors.ts'
import type { CommandName } from './commands.ts'
import {
  type CommandOf,
  type FlagName,
  flagNames,
  flags,
  type ServerOption,
  type ServiceOption,
  type ValueOf,
} from './flags.ts'
import type { Setting } from './values.ts'

/** All settings. A flag that is not set is absent. */
export type Settings = { readonly [Name in FlagName]?: Setting<ValueOf<Name>> }

/** The flags that a command must read: every flag that it accepts, unless it sets an option. */
export type FlagOf<Command extends CommandName> = {
  [Name in FlagName]: Command extends CommandOf<Name> ? Name : never
}[FlagName]

/** The settings of a command without flags. */
export type NoSettings = Pick<Settings, never>

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns whether a setting is from the command line. */
export function isFlag(setting: Setting<unknown> | undefined): setting is Setting<unknown> {
  return setting?.source.startsWith('--') ?? false
}

/**
 * Returns the one flag that is set; undefined if all are absent. The command line wins over the environment. Throws
 * `UsageError` if two are set in the same place.
 */
export function oneOf<Name extends FlagName>(
  settings: Pick<Settings, Name>,
  names: readonly Name[],
): Name | undefined {
  const set = names.filter((name) => settings[name])
  const onCommandLine = set.filter((name) => isFlag(settings[name]))
  const [first, second] = onCommandLine.length > 0 ? onCommandLine : set
  if (first && second) {
    const [one, other] = [settings[first]?.source, settings[second]?.source]
    throw new UsageError(`${one} and ${other} cannot be used together: give one of them`)
  }
  return first
}

/** Returns the maximum length of a name, as a server with these settings has it. */
export function readMaxNameLength(settings: Settings): number | null {
  const { maxNameLength = describedDefaults.maxNameLength }: Partial<ServiceOptions> =
    readServiceOptions(settings)
  return maxNameLength
}

/** Returns the options of the service that flags set: for the service, its description, and what commands validate. */
export function readServiceOptions(settings: Settings): Pick<ServiceOptions, ServiceOption> {
  return readOptions(settings, 'service') as Pick<ServiceOptions, ServiceOption> // a row's parser returns its option's type
}

/** Returns the options of `createPetServer` that flags set. */
export function readServerOptions(settings: Settings): Pick<PetServerOptions, ServerOption> {
  return readOptions(settings, 'server') as Pick<PetServerOptions, ServerOption> // as above
}

/** Returns the values of the flags whose rows name an option of the target, by these options. */
function readOptions(settings: Settings, target: 'service' | 'server'): object {
  const options = flagNames.flatMap((name) => {
    const setting = settings[name]
    const option = flags[name][target]
    return option && setting ? [[option, setting.value] as const] : []
  })
  return Object.fromEntries(options)
}
