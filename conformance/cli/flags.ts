import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

/** One flag of the command line. */
interface Flag {
  /** What stands for its value in the help; a flag without it is on or off. */
  readonly value?: string
  readonly help: string
  /** Whether `judge` takes it too. */
  readonly judge?: true
}

export type FlagName =
  | 'key'
  | 'profile'
  | 'throttle-key'
  | 'plan'
  | 'category-id'
  | 'max-requests'
  | 'timeout'
  | 'only'
  | 'skip'
  | 'known-failures'
  | 'allow-inconclusive'
  | 'now'
  | 'format'
  | 'out'
  | 'save-transcript'
  | 'dry-run'
  | 'list'
  | 'help'
  | 'version'

/** Every flag by its name, as the help lists them. */
export const flags: Readonly<Record<FlagName, Flag>> = {
  key: {
    value: 'KEY',
    help: 'the API key; better kept in PET_ADOPTION_API_KEY, for arguments show in process lists',
  },
  profile: {
    value: 'NAME',
    help: 'read (default): GET only, at most 30 requests; create: POSTs too, at most 60 requests and 12 animals; exhaust: read, and one burn of the throttle key; all: everything',
  },
  'throttle-key': {
    value: 'KEY',
    help: 'the key that exhaust burns; better kept in PET_ADOPTION_THROTTLE_KEY',
  },
  plan: {
    value: 'NAME',
    help: "the key's plan: free, pro or business; RATE-8 then expects its numbers",
    judge: true,
  },
  'category-id': { value: 'N', help: 'a category that exists there, for the animals that create adds' },
  'max-requests': { value: 'N', help: 'the most requests that the run may send' },
  timeout: { value: 'MS', help: 'how long to wait for a response, in milliseconds' },
  only: { value: 'IDS', help: 'judge only these rules: ids or families, such as LIST-1,AUTH', judge: true },
  skip: { value: 'IDS', help: 'leave these rules out', judge: true },
  'known-failures': {
    value: 'FILE',
    help: 'JSON: [{ "rule", "reason", "until"? }]; these failures do not count, and one that is over is an error',
    judge: true,
  },
  'allow-inconclusive': {
    help: 'exit 0 where requirements could not be judged for want of evidence',
    judge: true,
  },
  now: { value: 'ISO-DATE', help: "the suite's clock, for what depends on the date of removal", judge: true },
  format: {
    value: 'NAME',
    help: 'pretty (default), json, junit, tap, markdown, html or github',
    judge: true,
  },
  out: { value: 'FILE', help: 'write the report there, and a summary to the terminal', judge: true },
  'save-transcript': { value: 'FILE', help: 'keep what was sent and answered, without keys, for judge' },
  'dry-run': { help: 'print what would be sent and what it would cost; send nothing' },
  list: { help: 'print every rule' },
  help: { help: 'print this', judge: true },
  version: { help: 'print the version', judge: true },
}

/** A command line, read but not yet understood. */
export interface CommandLine {
  readonly positionals: readonly string[]
  /** Values of the flags given; of one that is on, the empty string. */
  readonly values: Readonly<Partial<Record<FlagName, string>>>
}

const isFlag = (name: string): name is FlagName => Object.hasOwn(flags, name)

const parserOptions = Object.fromEntries(
  Object.entries(flags).map(([name, { value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string' } as const,
  ]),
)

/**
 * Reads arguments; `--flag=value` and `--flag value` are the same. Throws UsageError on an unknown or repeated
 * flag, a value missing or not wanted. No message repeats a value: it may be a key.
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
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value = '', inlineValue } = token
    if (!isFlag(name) || rawName !== `--${name}`)
      throw new UsageError(`unknown flag ${rawName}; --help lists them all`)
    if (name in values) throw new UsageError(`--${name} is given twice; give it once`)
    const wanted = flags[name].value
    if (wanted === undefined && inlineValue) throw new UsageError(`--${name} takes no value; write it alone`)
    if (wanted !== undefined && value === '')
      throw new UsageError(`--${name} needs a value: --${name} ${wanted}`)
    if (value.startsWith('-') && !inlineValue) {
      throw new UsageError(`--${name} needs a value; write --${name}=${wanted} if it begins with a dash`)
    }
    values[name] = value
  }
  return { positionals, values }
}
