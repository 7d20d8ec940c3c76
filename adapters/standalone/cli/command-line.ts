import { parseArgs } from 'node:util'
import { UsageError } from '../errors.ts'
import { type LogFormatName, logFormats } from '../log/log-format.ts'
import { type CommandName, commandNames, commands, findCommands } from './commands.ts'
import { type Flag, type FlagName, flagNames, flags } from './flags.ts'
import type { Environment } from './process-context.ts'
import type { Settings } from './settings.ts'
import type { Setting } from './values.ts'

export interface CommandLine {
  readonly command: CommandName | 'help' | 'version'
  /** File or id that follows the command, or the empty string. */
  readonly operand: string
  /** Commands that `--help` describes. If it is empty, all commands. */
  readonly helpTopics: readonly CommandName[]
  readonly settings: Settings
}

/**
 * Parses the command line and the environment. Flags win over environment variables. `--flag value` and `--flag=value`
 * mean the same.
 *
 * @throws {UsageError} If anything is unknown, missing or invalid. Messages never contain a value, which may be a
 * secret.
 */
export function readCommandLine(argv: readonly string[], env: Environment): CommandLine {
  const { words, given } = tokenize(argv)
  const information = given.find(({ name }) => name === 'help' || name === 'version')
  if (information) {
    const command = information.name === 'help' ? 'help' : 'version'
    return { command, operand: '', helpTopics: findCommands(words), settings: {} }
  }
  const flagged = readFlags(given, words)
  const { command, operand } = readCommand(words)
  const settings = readSettings(command, flagged, env)
  void settings.log?.value // throws if the log format is unknown
  return { command, operand, helpTopics: [], settings }
}

/**
 * Returns the log format, even if other flags are invalid. Errors in the command line are logged in
 * this format.
 */
export function guessLogFormat(argv: readonly string[], env: Environment): LogFormatName {
  const flag = tokenize(argv).given.findLast(({ name }) => name === 'log')
  try {
    const format = flag ? flag.value : env[flags.log.env ?? '']
    return logFormats.find((name) => name === format) ?? 'pretty'
  } catch {
    return 'pretty' // Deno may deny access to the environment
  }
}

/** Error messages cut unknown commands to this length, in characters. */
const maxShownLength = 40

const options = Object.fromEntries(
  flagNames.map((name) => [
    name,
    {
      type: flags[name].value === undefined ? 'boolean' : 'string',
      ...(name === 'help' && { short: 'h' }),
    } as const,
  ]),
)

/** Splits the command line into words and flags, without validation. Empty words are ignored. */
function tokenize(argv: readonly string[]) {
  const config = { args: [...argv], options, strict: false, allowPositionals: true, tokens: true } as const
  const { positionals, tokens } = parseArgs(config)
  return {
    words: positionals.filter((word) => word),
    given: tokens.filter((token) => token.kind === 'option'),
  }
}

function readCommand(words: readonly string[]): { command: CommandName; operand: string } {
  const [first = 'serve', second = ''] = words
  const found = findCommands([first, second])
  const [command] = found
  if (!command || found.length > 1) {
    const shown = (command ? `${first} ${second}`.trim() : first).slice(0, maxShownLength)
    const known = command ? found : commandNames
    throw new UsageError(`unknown command ${JSON.stringify(shown)}; expected one of ${known.join(', ')}`)
  }
  return { command, operand: readOperand(command, words.slice(command.split(' ').length)) }
}

function readOperand(command: CommandName, given: readonly string[]): string {
  const { operand, operandDefault } = commands[command]
  if (operand === undefined && given.length > 0)
    throw new UsageError(`${command} does not take an argument: --help lists its flags`)
  const [value = operandDefault, ...others] = given
  if (operand !== undefined && (value === undefined || others.length > 0))
    throw new UsageError(`${command} requires one ${operand}: --help describes it`)
  return value ?? ''
}

/** Flags on the command line. */
type GivenFlags = Readonly<Partial<Record<FlagName, Setting>>>

function readFlags(given: ReturnType<typeof tokenize>['given'], words: readonly string[]): GivenFlags {
  const settings: Partial<Record<FlagName, Setting>> = {}
  for (const { rawName: source, value, inlineValue } of given) {
    const name = flagNames.find((candidate) => source === `--${candidate}`)
    if (!name)
      throw new UsageError(`unknown option "${source}"; expected one of ${listFlags(words).join(', ')}`)
    const { value: placeholder, secret, env } = flags[name]
    if (secret) throw new UsageError(`${source} would be visible in process lists: set ${env} instead`)
    if (placeholder === undefined && inlineValue) throw new UsageError(`${source} does not take a value`)
    if (placeholder && (!value || (value.startsWith('--') && !inlineValue)))
      throw new UsageError(`${source} requires a value: ${source} ${placeholder}`)
    if (settings[name]) throw new UsageError(`${source} was given twice: give it once`)
    settings[name] = { value: value ?? 'on', source }
  }
  return settings
}

/** Lists the flags that the command accepts, to suggest them for an unknown flag. */
function listFlags(words: readonly string[]): readonly FlagName[] {
  const [command = 'serve'] = findCommands(words)
  return flagNames.filter((name) => flags[name].commands.includes(command) && !flags[name].secret)
}

/** Collects a command's settings from the command line and the environment. */
function readSettings(command: CommandName, given: GivenFlags, env: Environment): Settings {
  const settings: Partial<Record<FlagName, Setting<unknown>>> = {}
  for (const name of flagNames) {
    const { commands: accepting } = flags[name]
    const isAccepted = accepting.includes(command)
    if (given[name] && !isAccepted)
      throw new UsageError(`--${name} is a flag of ${accepting.join(', ')}, not of ${command}`)
    const setting = isAccepted && (given[name] ?? readEnvironmentVariable(flags[name], env))
    if (setting) settings[name] = createParsedSetting(flags[name], setting)
  }
  return settings as Settings // each row's parser returns the type of its setting
}

function createParsedSetting({ parse }: Flag, setting: Setting): Setting<unknown> {
  return {
    source: setting.source,
    get value() {
      return parse(setting)
    },
  }
}

/** Values that switch a flag on or off in the environment. */
const switchWords = { on: ['1', 'true', 'yes', 'on'], off: ['0', 'false', 'no', 'off'] }

/** Reads a flag's environment variable. An empty variable counts as unset. */
function readEnvironmentVariable(
  { env: source = '', value: placeholder }: Flag,
  env: Environment,
): Setting | undefined {
  const value = env[source]
  if (!value) return undefined
  if (placeholder !== undefined) return { value, source }
  const word = value.toLowerCase()
  if (switchWords.on.includes(word)) return { value: 'on', source }
  if (switchWords.off.includes(word)) return undefined
  throw new UsageError(`${source} must be on or off`)
}
