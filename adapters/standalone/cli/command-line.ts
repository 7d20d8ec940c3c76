import { parseArgs } from 'node:util'
import { UsageError } from '../errors.ts'
import { isLogFormat, type LogFormatName } from '../log/log-format.ts'
import { type CommandName, commands, commandsNamed } from './commands.ts'
import { type FlagName, flagNames, flags } from './flags.ts'
import type { Environment, Setting, Settings } from './settings.ts'

export interface CommandLine {
  readonly command: CommandName | 'help' | 'version'
  /** The argument after the command's name, where the command requires one. */
  readonly operand?: string
  /** The commands that `help` is about; all of them if it is empty. */
  readonly about?: readonly CommandName[]
  readonly settings: Settings
}

/**
 * Reads the arguments after the program's name. A flag wins over the environment, which wins over the default.
 * `--flag=value` and `--flag value` are the same. Throws `UsageError`. Its message contains no value, which may be a secret.
 */
export function readCommandLine(argv: readonly string[], env: Environment): CommandLine {
  const tokens = tokenize(argv)
  const information = tokens.find(
    ({ kind, name }) => kind === 'option' && (name === 'help' || name === 'version'),
  )
  const words = tokens.flatMap(({ kind, value }) => (kind === 'positional' && value ? [value] : []))
  if (information?.name === 'help') return { command: 'help', about: commandsNamed(words), settings: {} }
  if (information) return { command: 'version', settings: {} }

  const given = tokens.filter(({ kind }) => kind === 'option').map(readFlag)
  const { command, operand } = readCommand(words)
  const settings: Settings = {
    ...defaultsOf(command),
    ...readEnvironment(command, env),
    ...readFlags(command, given),
  }
  for (const name of flagNames) {
    const { choices } = flags[name]
    const { value, source } = settings[name] ?? {}
    if (choices && value !== undefined && !choices.includes(value)) {
      throw new UsageError(`${source} must be one of ${choices.join(', ')}`)
    }
  }
  return { command, settings, ...(operand !== undefined && { operand }) }
}

/** Returns the format in which to log a mistake of a command line: the one that it names, valid or not otherwise. */
export function guessLogFormat(argv: readonly string[], env: Environment): LogFormatName {
  const flag = tokenize(argv).findLast(({ name }) => name === 'log')
  const format = flag ? flag.value : env[flags.log.env ?? '']
  return isLogFormat(format) ? format : 'pretty'
}

/** How many characters of an unknown command its message shows. */
const maxShown = 40

interface Token {
  readonly kind: 'option' | 'positional' | 'option-terminator'
  readonly name?: string
  readonly rawName?: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

const options = Object.fromEntries(
  flagNames.map((name) => [
    name,
    {
      type: flags[name].value === undefined ? 'boolean' : 'string',
      ...(name === 'help' && { short: 'h' }),
    } as const,
  ]),
)

function tokenize(argv: readonly string[]): readonly Token[] {
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

function readCommand(words: readonly string[]): { command: CommandName; operand: string | undefined } {
  const named = words.length === 0 ? (['serve'] as const) : commandsNamed(words)
  const [command] = named
  if (!command || named.length > 1) throw unknownCommand(words, named)
  return { command, operand: readOperand(command, words.slice(command.split(' ').length)) }
}

function readOperand(command: CommandName, given: readonly string[]): string | undefined {
  const { operand, operandDefault } = commands[command]
  if (operand === undefined && given.length > 0)
    throw new UsageError(`${command} accepts flags only: --help lists them`)
  const [value = operandDefault, ...others] = given
  if (operand !== undefined && (value === undefined || others.length > 0))
    throw new UsageError(`${command} requires one ${operand.toLowerCase()}: ${command} ${operand}`)
  return value
}

/** Returns the error of words that name no command, or only the first word of `several`. */
function unknownCommand([first = '']: readonly string[], several: readonly CommandName[]): UsageError {
  if (several.length > 0) {
    const seconds = several.map((name) => name.slice(first.length + 1)).join(', ')
    return new UsageError(`${first} requires one of ${seconds} after it: ${first} --help describes them`)
  }
  const shown = JSON.stringify(first.slice(0, maxShown))
  return new UsageError(`unknown command ${shown}: --help lists all commands`)
}

type FlagToken = Token & { readonly name: FlagName }

/** Validates that a token is a flag, with a value where the flag requires one. */
function readFlag(token: Token): FlagToken {
  const { rawName = '', value = '', inlineValue } = token
  const name = flagNames.find((candidate) => rawName === `--${candidate}`)
  if (!name) throw new UsageError(`unknown flag ${rawName}: --help lists all flags`)
  const placeholder = flags[name].value
  if (placeholder === undefined) {
    if (inlineValue) throw new UsageError(`${rawName} accepts no value: write it alone`)
  } else if (value === '') {
    throw new UsageError(`${rawName} requires a value: ${rawName} ${placeholder}`)
  } else if (value.startsWith('--') && !inlineValue) {
    throw new UsageError(
      `${rawName} requires a value: write ${rawName}=${placeholder} if it begins with a dash`,
    )
  }
  return { ...token, name }
}

function readFlags(command: CommandName, tokens: readonly FlagToken[]): Settings {
  const settings: Partial<Record<FlagName, Setting>> = {}
  for (const { name, value = 'on' } of tokens) {
    const source = `--${name}`
    const { secret, env, commands: accepting } = flags[name]
    if (secret) throw new UsageError(`${source} would show in lists of processes: set ${env} instead`)
    if (!accepting.includes(command)) {
      throw new UsageError(`${source} is a flag of ${accepting.join(', ')}, not of ${command}`)
    }
    if (settings[name]) throw new UsageError(`${source} is given twice: give it once`)
    settings[name] = { value, source }
  }
  return settings
}

/** The values of a variable whose flag is on or off. */
const switches = { on: ['1', 'true', 'yes', 'on'], off: ['0', 'false', 'no', 'off'] }

/** Returns the settings of a command in the environment. An empty variable counts as absent. */
function readEnvironment(command: CommandName, env: Environment): Settings {
  const settings: Partial<Record<FlagName, Setting>> = {}
  for (const name of flagNames) {
    const { env: source = '', value: placeholder, commands } = flags[name]
    const text = env[source]
    if (!text || !commands.includes(command)) continue
    const word = text.toLowerCase()
    if (placeholder !== undefined) settings[name] = { value: text, source }
    else if (switches.on.includes(word)) settings[name] = { value: 'on', source }
    else if (!switches.off.includes(word)) throw new UsageError(`${source} must be on or off`)
  }
  return settings
}

function defaultsOf(command: CommandName): Settings {
  return Object.fromEntries(
    flagNames.flatMap((name) => {
      const { default: value, commands: accepting } = flags[name]
      return value !== undefined && accepting.includes(command)
        ? [[name, { value, source: `--${name}`, isDefault: true as const }]]
        : []
    }),
  )
}
