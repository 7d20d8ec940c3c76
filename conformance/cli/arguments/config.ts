import { readText } from '../files.ts'
import type { CommandLine } from './command-line.ts'
import { UsageError } from './errors.ts'
import { type FlagName, flagNames, flags } from './flags.ts'
import { suggest } from './suggest.ts'

/** Why a flag cannot be in a file of settings, and what to do. */
const refused: Readonly<Partial<Record<FlagName, string>>> = {
  key: 'a key does not belong into a file of settings: set PET_ADOPTION_API_KEY',
  'throttle-key': 'a key does not belong into a file of settings: set PET_ADOPTION_THROTTLE_KEY',
  config: 'a file of settings cannot name another one: delete it',
  list: 'it is no setting: give --list on the command line',
  help: 'it is no setting: give --help on the command line',
  version: 'it is no setting: give --version on the command line',
}

/** Flags whose values are lists in themselves, separated by commas. */
const listed: readonly FlagName[] = ['only', 'skip']

/** Flags of which the command line may give one, although the file has the other. */
const opposites = [
  ['quiet', 'verbose'],
  ['verbose', 'quiet'],
] as const

/** Flags and the base address; the flags of a command line override those of a file. */
type Settings = Pick<CommandLine, 'values' | 'lists'>

/**
 * Returns a command line with the settings of its `--config`. What it gives itself replaces what the file has.
 *
 * @param isUsed Whether the command has a flag; the file may have others, which are checked and left out.
 * @throws {UsageError} The file cannot be read, or is invalid; the message names the place, and quotes no value.
 */
export function withConfig(
  commandLine: CommandLine,
  isUsed: (name: FlagName) => boolean = () => true,
): CommandLine & { readonly values: { readonly 'base-url'?: string } } {
  const path = commandLine.values.config
  if (path === undefined) return commandLine
  const { baseUrl, ...file } = readConfig(path)
  const isKept = (name: FlagName): boolean =>
    isUsed(name) && !opposites.some(([one, other]) => one in commandLine.values && other === name)
  const kept = <Value>(record: Readonly<Partial<Record<FlagName, Value>>>): typeof record =>
    Object.fromEntries(
      flagNames.flatMap((name) => (name in record && isKept(name) ? [[name, record[name]]] : [])),
    )
  return {
    positionals: commandLine.positionals,
    values: {
      ...(baseUrl !== undefined && { 'base-url': baseUrl }),
      ...kept(file.values),
      ...commandLine.values,
    },
    lists: { ...kept(file.lists), ...commandLine.lists },
  }
}

function readConfig(path: string): Settings & { readonly baseUrl?: string } {
  const wrong = (place: string, what: string): UsageError =>
    new UsageError(`the settings in ${path} are invalid: ${place} ${what}`)
  const members = readObject(path)
  const values: Partial<Record<FlagName, string>> = {}
  const lists: Partial<Record<FlagName, readonly string[]>> = {}
  let baseUrl: string | undefined
  for (const [member, value] of Object.entries(members)) {
    const place = `$.${member}`
    if (member === 'base-url') {
      if (typeof value !== 'string') throw wrong(place, 'must be a text')
      baseUrl = value
      continue
    }
    const name = flagNames.find((flag) => flag === member)
    if (name === undefined) throw wrong(`$[${JSON.stringify(member)}]`, unknown(member))
    const reason = refused[name]
    if (reason !== undefined) throw wrong(place, `must not be there: ${reason}`)
    const texts = textsOf(name, value)
    if (typeof texts === 'string') throw wrong(place, texts)
    const [first] = texts
    if (first === undefined) continue
    values[name] = listed.includes(name) ? texts.join(',') : first
    if (flags[name].isRepeatable) lists[name] = texts
  }
  return { values, lists, ...(baseUrl !== undefined && { baseUrl }) }
}

function readObject(path: string): Readonly<Record<string, unknown>> {
  const text = readText('settings', path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // the rest of the message quotes the file, which may be the wrong one and contain a secret
    const position = /at position \d+/.exec(String(error))?.[0] ?? ''
    throw new UsageError(`the settings in ${path} are invalid: not JSON ${position}`.trimEnd())
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new UsageError(
    `the settings in ${path} are invalid: $ must be an object of flags, such as { "profile": "read" }`,
  )
}

function unknown(member: string): string {
  const near = suggest(member, [...flagNames, 'base-url'])
  const question = near === undefined ? '' : `did you mean ${near}? `
  return `is no flag: ${question}--help lists all flags`
}

/** Returns the values that a member gives a flag, none if it is off; a text says what is wrong with the member. */
function textsOf(name: FlagName, value: unknown): readonly string[] | string {
  const { value: placeholder, isRepeatable = false } = flags[name]
  if (placeholder === undefined)
    return typeof value === 'boolean' ? (value ? [''] : []) : 'must be true or false'
  const isList = isRepeatable || listed.includes(name)
  const all: readonly unknown[] = isList && Array.isArray(value) ? value : [value]
  const texts = all.map(textOf)
  if (texts.every((text) => text !== undefined)) return texts
  return isList
    ? 'must be a text that is not empty, or an array of such texts'
    : 'must be a text that is not empty, or a number'
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value
  return Number.isFinite(value) ? String(value) : undefined
}
