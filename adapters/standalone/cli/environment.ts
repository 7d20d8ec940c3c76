import { UsageError } from '../errors.ts'
import type { CommandName } from './commands.ts'
import { type FlagName, flagNames, flags } from './flags.ts'
import type { Environment, Setting, Settings } from './settings.ts'

/** The values of a variable whose flag is on or off. Any other value is a `UsageError`. */
const switches: Readonly<Record<string, boolean>> = {
  1: true,
  true: true,
  yes: true,
  on: true,
  0: false,
  false: false,
  no: false,
  off: false,
}

/** Returns the settings of a command in the environment. An empty variable counts as absent. Throws `UsageError`. */
export function readEnvironment(command: CommandName, env: Environment): Settings {
  const settings: Partial<Record<FlagName, Setting>> = {}
  for (const name of flagNames) {
    const { env: source = '', value: placeholder, commands } = flags[name]
    const text = env[source]
    if (!text || !commands.includes(command)) continue
    if (placeholder !== undefined) settings[name] = { value: text, source }
    else if (isOn(text, source)) settings[name] = { value: 'on', source }
  }
  return settings
}

function isOn(text: string, source: string): boolean {
  const on = switches[text.toLowerCase()]
  if (on === undefined) throw new UsageError(`${source} must be on or off`)
  return on
}
