import { invalidFile, readJsonFile } from '../files.ts'
import { type CommandLine, flagHint } from './command-line.ts'
import { type FlagName, flagNames, flags } from './flags.ts'

/** Why a flag cannot be in a file of settings, and what to do. */
const refused: Readonly<Partial<Record<FlagName, string>>> = {
  key: 'a key does not belong into a file of settings: set PET_ADOPTION_API_KEY',
  'throttle-key': 'a key does not belong into a file of settings: set PET_ADOPTION_THROTTLE_KEY',
  config: 'a file of settings cannot name another one: delete it',
  list: 'it is no setting: give --list on the command line',
  help: 'it is no setting: give --help on the command line',
  version: 'it is no setting: give --version on the command line',
}

/** Flags of which the command line may give one, although the file has the other. */
const opposites: Readonly<Partial<Record<FlagName, FlagName>>> = { quiet: 'verbose', verbose: 'quiet' }

/** A command line with the settings of a file, which may have the base URL, too. */
export interface Settings extends CommandLine {
  readonly baseUrl?: string
}

/**
 * Returns a command line with the settings of its `--config`. What it gives itself replaces what the file has.
 *
 * @param accepted The flags of the command; the file may have others, which are checked and left out.
 * @throws {UsageError} The file cannot be read, or is invalid; the message names the place, and quotes no value.
 */
export function withConfig(commandLine: CommandLine, accepted: readonly FlagName[]): Settings {
  const path = commandLine.values.config
  if (path === undefined) return commandLine
  const { baseUrl, values, lists } = readConfig(path)
  for (const name of flagNames) {
    const opposite = opposites[name]
    const isReplaced = opposite !== undefined && opposite in commandLine.values
    if (accepted.includes(name) && !isReplaced) continue
    delete values[name]
    delete lists[name]
  }
  return {
    positionals: commandLine.positionals,
    values: { ...values, ...commandLine.values },
    lists: { ...lists, ...commandLine.lists },
    ...(baseUrl !== undefined && { baseUrl }),
  }
}

function readConfig(path: string) {
  const members = readJsonFile('settings', path)
  if (typeof members !== 'object' || members === null || Array.isArray(members))
    throw invalidFile('settings', path, '$ must be an object of flags, such as { "profile": "read" }')
  const values: Partial<Record<FlagName, string>> = {}
  const lists: Partial<Record<FlagName, readonly string[]>> = {}
  let baseUrl: string | undefined
  for (const [member, value] of Object.entries(members)) {
    const name = flagNames.find((flag) => flag === member)
    const problem = memberProblem(member, name, value)
    if (problem !== undefined) throw invalidFile('settings', path, problem)
    if (name === undefined) {
      baseUrl = String(value)
      continue
    }
    const { isRepeatable = false, isList = false } = flags[name]
    const texts = value === false ? [] : [value].flat().map((one) => (one === true ? '' : String(one)))
    const [first] = texts
    if (first === undefined) continue
    values[name] = isList ? texts.join(',') : first
    if (isRepeatable) lists[name] = texts
  }
  return { values, lists, baseUrl }
}

/** Returns the place of a member that is invalid, and what is wrong with it. */
function memberProblem(member: string, name: FlagName | undefined, value: unknown): string | undefined {
  if (member === 'base-url') return typeof value === 'string' ? undefined : '$.base-url must be a text'
  if (name === undefined)
    return `$[${JSON.stringify(member)}] is no flag: ${flagHint(member, '', ['base-url'])}`
  const reason = refused[name]
  if (reason !== undefined) return `$.${name} must not be there: ${reason}`
  const { value: placeholder, isRepeatable = false, isList = false } = flags[name]
  if (placeholder === undefined)
    return typeof value === 'boolean' ? undefined : `$.${name} must be true or false`
  const mayBeMany = isRepeatable || isList
  const isText = (one: unknown): boolean => (typeof one === 'string' && one !== '') || Number.isFinite(one)
  if (mayBeMany && Array.isArray(value) ? value.every(isText) : isText(value)) return undefined
  return `$.${name} must be a text that is not empty, or ${mayBeMany ? 'an array of such texts' : 'a number'}`
}
