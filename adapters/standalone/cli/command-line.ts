import { parseArgs } from 'node:util'
import { UsageError } from '../errors.ts'
import { type LogFormatName, logFormats } from '../log/log-format.ts'
import { type CommandName, commands, findCommands } from './commands.ts'
import { type Flag, type FlagName, flagNames, flags } from './flags.ts'
import type { Environment, Settings } from './settings.ts'
import type { Setting } from './values.ts'

export interface CommandLine {
  readonly command: CommandName | 'help' | 'version'
  /** The argument after the command's name; empty if the command accepts none. */
  readonly operand: string
  /** The commands that `help` is about; all of them if it is empty. */
  readonly about: readonly CommandName[]
  readonly settings: Settings
}

/**
 * Reads the arguments after the program's name. A flag wins over the environment.
 * `--flag=value` and `--flag value` are the same. Throws `UsageError`. Its message contains no value, which may be a
 * secret.
 */
export function readCommandLine(argv: readonly string[], env: Environment): CommandLine {
  const { words, given } = tokenize(argv)
  const information = given.find(({ name }) => name === 'help' || name === 'version')
  if (information) {
    const command = information.name === 'help' ? 'help' : 'version'
    return { command, operand: '', about: findCommands(words), settings: {} }
  }
  const flagged = readFlags(given)
  const { command, operand } = readCommand(words)
  const settings = readSettings(command, flagged, env)
  void settings.log?.value // throws for an unknown format, which guessLogFormat passes over
  return { command, operand, about: [], settings }
}

/** Returns the log format that a command line names, even if the rest of it is invalid. Its mistakes are logged so. */
export function guessLogFormat(argv: readonly string[], env: Environment): LogFormatName {
  const flag = tokenize(argv).given.findLast(({ name }) => name === 'log')
  const format = flag ? flag.value : env[flags.log.env ?? '']
  return logFormats.find((name) => name === format) ?? 'pretty'
}

/** Maximum number of characters of an unknown command in a message. */
const maxShown = 40

const options = Object.fromEntries(
  flagNames.map((name) => [
    name,
    {
      type: flags[name].value === undefined ? 'boolean' : 'string',
      ...(name === 'help' && { short: 'h' }),
    } as const,
  ]),
)

/** Returns the words, and the flags, right or wrong. An empty word counts as absent. */
function tokenize(argv: readonly string[]) {
  const config = { args: [...argv], options, strict: false, allowPositionals: true, tokens: true } as const
  const { positionals, tokens } = parseArgs(config)
  return {
    words: positionals.filter((word) => word),
    given: tokens.filter((token) => token.kind === 'option'),
  }
}

function readCommand(words: readonly string[]): { command: CommandName; operand: string } {
  const [command, ...others] = words.length === 0 ? (['serve'] as const) : findCommands(words)
  if (!command || others.length > 0) {
    const known = command ? [command, ...others].join(', ') : 'all commands'
    const shown = JSON.stringify(words[0]?.slice(0, maxShown))
    throw new UsageError(`unknown command ${shown}: --help lists ${known}`)
  }
  return { command, operand: readOperand(command, words.slice(command.split(' ').length)) }
}

function readOperand(command: CommandName, given: readonly string[]): string {
  const { operand, operandDefault } = commands[command]
  if (operand === undefined && given.length > 0)
    throw new UsageError(`${command} accepts flags only: --help lists them`)
  const [value = operandDefault, ...others] = given
  if (operand !== undefined && (value === undefined || others.length > 0))
    throw new UsageError(`${command} requires one ${operand}: --help describes it`)
  return value ?? ''
}

/** The texts of flags of the command line. */
type GivenFlags = Readonly<Partial<Record<FlagName, Setting>>>

function readFlags(given: ReturnType<typeof tokenize>['given']): GivenFlags {
  const settings: Partial<Record<FlagName, Setting>> = {}
  for (const { rawName: source, value, inlineValue } of given) {
    const name = flagNames.find((candidate) => source === `--${candidate}`)
    if (!name) throw new UsageError(`unknown flag ${source}: --help lists all flags`)
    const { value: placeholder, secret, env } = flags[name]
    if (secret) throw new UsageError(`${source} would show in lists of processes: set ${env} instead`)
    if (placeholder === undefined && inlineValue) throw new UsageError(`${source} does not take a value`)
    if (placeholder && (!value || (value.startsWith('--') && !inlineValue)))
      throw new UsageError(`${source} requires a value: ${source}=${placeholder}`)
    if (settings[name]) throw new UsageError(`${source} is given twice: give it once`)
    settings[name] = { value: value ?? 'on', source }
  }
  return settings
}

/** Returns the settings of a command: what was given, or is in the environment. */
function readSettings(command: CommandName, given: GivenFlags, env: Environment): Settings {
  const settings: Partial<Record<FlagName, Setting<unknown>>> = {}
  for (const name of flagNames) {
    const { commands: accepting } = flags[name]
    const isAccepted = accepting.includes(command)
    if (given[name] && !isAccepted)
      throw new UsageError(`--${name} is a flag of ${accepting.join(', ')}, not of ${command}`)
    const setting = isAccepted && (given[name] ?? readVariable(flags[name], env))
    if (setting) settings[name] = parsedSetting(flags[name], setting)
  }
  return settings as Settings // the parser of a row returns the type of its value
}

function parsedSetting({ parse }: Flag, setting: Setting): Setting<unknown> {
  const { source } = setting
  if (!parse) return { value: true, source }
  return {
    source,
    get value() {
      return parse(setting)
    },
  }
}

/** Accepted values of an environment variable whose flag takes no value. */
const switches = { on: ['1', 'true', 'yes', 'on'], off: ['0', 'false', 'no', 'off'] }

/** An empty variable counts as absent. */
function readVariable({ env: source = '', value: placeholder }: Flag, env: Environment): Setting | undefined {
  const value = env[source]
  if (!value) return undefined
  if (placeholder !== undefined) return { value, source }
  const word = value.toLowerCase()
  if (switches.on.includes(word)) return { value: 'on', source }
  if (switches.off.includes(word)) return undefined
  throw new UsageError(`${source} must be on or off`)
}
