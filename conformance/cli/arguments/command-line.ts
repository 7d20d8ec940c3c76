import { parseArgs } from 'node:util'
import { type FlagName, flagNames, flags } from './flags.ts'
import { suggest, UsageError } from './values.ts'

/** A command line, split into flags and other arguments. */
export interface CommandLine {
  readonly positionals: readonly string[]
  /** The values of the flags; a flag without a value has the empty string. */
  readonly values: Readonly<Partial<Record<FlagName, string>>>
  /** All values of each flag that may be repeated. */
  readonly lists: Readonly<Partial<Record<FlagName, readonly string[]>>>
}

const parserOptions = Object.fromEntries(
  flagNames.map((name) => [name, { type: flags[name].value === undefined ? 'boolean' : 'string' } as const]),
)

/**
 * Reads the arguments after the program's name. `--flag=value` and `--flag value` are the same.
 *
 * @throws {UsageError} A flag is unknown or repeated, lacks its value, or has one that it does not accept. No message
 * repeats a value: it may be a key.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const positionals: string[] = []
  const values: Partial<Record<FlagName, string>> = {}
  const lists: Partial<Record<FlagName, string[]>> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { rawName, value = '', inlineValue = false } = token
    const name = flagNames.find((flag) => rawName === `--${flag}`)
    if (name === undefined)
      throw new UsageError(`unknown flag ${rawName}: ${flagHint(rawName.replace(/^-+/, ''), '--')}`)
    const { isRepeatable = false } = flags[name]
    if (name in values && !isRepeatable) throw new UsageError(`${rawName} is given twice: give it once`)
    checkValue(name, value, inlineValue)
    values[name] = value
    if (isRepeatable) lists[name] = [...(lists[name] ?? []), value]
  }
  return { positionals, values, lists }
}

/** Returns what to do about a flag that is unknown. */
export function flagHint(word: string, dashes: string, others: readonly string[] = []): string {
  const near = suggest(word, [...flagNames, ...others])
  return `${near === undefined ? '' : `did you mean ${dashes}${near}? `}--help lists all flags`
}

function checkValue(name: FlagName, value: string, isInline: boolean): void {
  const placeholder = flags[name].value
  if (placeholder === undefined) {
    if (isInline) throw new UsageError(`--${name} accepts no value: write it alone`)
    return
  }
  if (value === '') throw new UsageError(`--${name} requires a value: --${name} ${placeholder}`)
  if (value.startsWith('-') && !isInline)
    throw new UsageError(
      `--${name} requires a value: write --${name}=${placeholder} if it begins with a dash`,
    )
}
