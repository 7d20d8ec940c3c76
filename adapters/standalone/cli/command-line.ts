import { parseArgs } from 'node:util'
import { UsageError } from '../errors.ts'
import { isLogFormat, type LogFormatName } from '../log/log-format.ts'
import { readEnvironment } from './environment.ts'
import { type CommandName, commandNames, type FlagName, flagNames, flags, operands } from './flags.ts'
import type { Environment, Setting, Settings } from './settings.ts'
import { suggest } from './suggest.ts'

export interface CommandLine {
  readonly command: CommandName | 'help' | 'version'
  /** What stands behind the command's name, where it takes that. */
  readonly operand?: string
  readonly settings: Settings
}

/**
 * Reads the arguments behind the program's name; where no flag is given, the environment counts, then the default.
 * `--flag=value` and `--flag value` are the same. Throws `UsageError`, whose message repeats no value: it may be a secret.
 */
export function readCommandLine(argv: readonly string[], env: Environment): CommandLine {
  const tokens = tokenize(argv)
  const asked = tokens.find(({ kind, name }) => kind === 'option' && (name === 'help' || name === 'version'))
  if (asked) return { command: asked.name === 'help' ? 'help' : 'version', settings: {} }

  const given = tokens.filter(({ kind }) => kind === 'option').map(understand)
  const { command, operand } = readCommand(tokens.filter(({ kind }) => kind === 'positional'))
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

/** How to log what is wrong with a command line: the format that it seems to ask for. */
export function guessLogFormat(argv: readonly string[], env: Environment): LogFormatName {
  const flag = tokenize(argv).findLast(({ name }) => name === 'log')
  const format = flag ? flag.value : env[flags.log.env ?? '']
  return isLogFormat(format) ? format : 'pretty'
}

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

function readCommand([first, second, third]: readonly Token[]): {
  command: CommandName
  operand: string | undefined
} {
  const word = first?.value ?? 'serve'
  const command = commandNames.find((name) => name === word)
  if (!command) {
    throw new UsageError(
      `unknown command${didYouMean('', suggest(word, commandNames))}; --help lists them all`,
    )
  }
  const wanted = operands[command]
  if (wanted === undefined && second) throw new UsageError(`${command} takes flags only: see --help`)
  if (wanted !== undefined && (!second?.value || third))
    throw new UsageError(`${command} needs one file: ${command} ${wanted}`)
  return { command, operand: second?.value }
}

type FlagToken = Token & { readonly name: FlagName }

/** Whether it is a flag at all, with a value where it needs one. */
function understand(token: Token): FlagToken {
  const { rawName = '', value = '', inlineValue } = token
  const name = flagNames.find((candidate) => rawName === `--${candidate}`)
  if (!name) {
    const near = suggest(rawName.replace(/^-+/, ''), flagNames)
    throw new UsageError(`unknown flag ${rawName}${didYouMean('--', near)}; --help lists them all`)
  }
  const wanted = flags[name].value
  if (wanted === undefined && inlineValue) throw new UsageError(`${rawName} takes no value: write it alone`)
  if (wanted !== undefined && (value === '' || (value.startsWith('--') && !inlineValue))) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${wanted}`)
  }
  return { ...token, name }
}

function readFlags(command: CommandName, tokens: readonly FlagToken[]): Settings {
  const settings: Partial<Record<FlagName, Setting>> = {}
  for (const { name, value = 'on' } of tokens) {
    const source = `--${name}`
    const { secret, env, commands } = flags[name]
    if (secret) throw new UsageError(`${source} would show in lists of processes: set ${env} instead`)
    if (!commands.includes(command)) {
      throw new UsageError(`${source} is a flag of ${commands.join(' and ')}, not of ${command}`)
    }
    if (settings[name]) throw new UsageError(`${source} is given twice: give it once`)
    settings[name] = { value, source }
  }
  return settings
}

function didYouMean(prefix: string, word: string | undefined): string {
  return word ? `, did you mean ${prefix}${word}?` : ''
}

function defaultsOf(command: CommandName): Settings {
  return Object.fromEntries(
    flagNames.flatMap((name) => {
      const { default: value, commands } = flags[name]
      return value !== undefined && commands.includes(command) ? [[name, { value, source: `--${name}` }]] : []
    }),
  )
}
