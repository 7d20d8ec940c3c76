import { parseArgs } from 'node:util'
import { formatNames } from '../report/formats.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'
import { UsageError } from './values.ts'

/** A command-line flag. */
export interface Flag {
  /** The value's placeholder in the help. Switches have no value. */
  readonly value?: string
  readonly help: string
  /** Whether the flag may be given more than once. */
  readonly isRepeatable?: true
}

/** Flags that only a run accepts, in help order. */
const runFlags = {
  'api-key': {
    value: 'KEY',
    help: 'API key; prefer PET_ADOPTION_API_KEY, as arguments are visible in process lists',
  },
  profile: {
    value: 'NAME',
    help: 'requests to send: read (default) sends at most 40 GET requests; create sends at most 80 requests and creates at most 23 animals; exhaust sends the requests of read, then exhausts the throttle key; all sends those of create, then exhausts the throttle key',
  },
  'throttle-key': {
    value: 'KEY',
    help: 'second API key, whose rate limit the run exhausts; prefer PET_ADOPTION_THROTTLE_KEY',
  },
  'category-id': { value: 'N', help: 'id of an existing category, which created animals get' },
  'max-requests': { value: 'N', help: 'maximum number of requests that the run sends' },
  timeout: { value: 'MS', help: 'maximum time for a request, in milliseconds (default: 10000)' },
  pace: {
    value: 'N',
    help: 'maximum number of requests per second, such as 0.5 or 20; by default, a run only waits when the rate limit is exhausted',
  },
  header: {
    value: "'NAME: VALUE'",
    help: 'extra request header; repeatable; $NAME is replaced by an environment variable, and $$ by a dollar sign',
    isRepeatable: true,
  },
  ca: { value: 'FILE', help: 'additional CA certificates to trust (PEM)' },
  'client-cert': { value: 'FILE', help: 'client certificate (PEM); requires --client-key' },
  'client-key': { value: 'FILE', help: 'unencrypted private key for --client-cert (PEM)' },
  insecure: { help: 'do not verify TLS certificates; the report contains a note' },
  'write-known-failures': {
    value: 'FILE',
    help: 'write the failures to a file for --known-failures; the file keeps known failures that still fail',
  },
  'allow-inconclusive': {
    help: 'exit with 0 even if a requirement could not be judged',
  },
  quiet: { help: 'print only failures and the summary' },
  verbose: { help: 'print each request and its result to stderr' },
  'dry-run': {
    help: 'print the requests and their cost without sending them; --format json prints JSON',
  },
  list: { help: 'list all rules; --format json prints JSON' },
} as const

/** Flags that a run and `judge` accept, in help order. */
const judgeFlags = {
  plan: {
    value: 'NAME',
    help: `the key's rate plan: ${ratePlanNames.join(', ')}; RATE-8 then checks its limits` as string,
  },
  only: {
    value: 'IDS',
    help: 'judge only these rules or families, such as LIST-1,AUTH; a run still sends all requests',
  },
  skip: { value: 'IDS', help: 'do not judge these rules or families' },
  'known-failures': {
    value: 'FILE',
    help: 'JSON file with rules that may fail: [{ "rule", "reason", "until"? }]; if a listed rule passes, the run fails',
  },
  now: {
    value: 'ISO-DATE',
    help: 'current time, for rules that depend on the date when getPet is removed',
  },
  format: {
    value: 'NAME[=FILE]',
    help: `report format: ${formatNames.join(', ')} (default: pretty); repeatable, but only once without a file` as string,
    isRepeatable: true,
  },
  help: { help: 'print this help' },
  version: { help: 'print the version' },
} as const

export type FlagName = keyof typeof runFlags | keyof typeof judgeFlags

export const flags: Readonly<Record<FlagName, Flag>> = { ...runFlags, ...judgeFlags }

// `Object.keys` returns `string[]`, but the literal has only these keys
const listNames = (group: object): readonly FlagName[] => Object.keys(group) as FlagName[]

/** The flags of each command. A run also accepts the flags of `judge`. */
export const flagNames: Readonly<Record<'run' | 'judge', readonly FlagName[]>> = {
  run: listNames(runFlags),
  judge: listNames(judgeFlags),
}

/** A parsed command line. */
export interface CommandLine {
  readonly positionals: readonly string[]
  /** Each flag's last value, which is empty for a switch. */
  readonly values: Readonly<Partial<Record<FlagName, string>>>
  /** All values of repeatable flags. */
  readonly lists: Readonly<Partial<Record<FlagName, readonly string[]>>>
}

const parserOptions = Object.fromEntries(
  listNames(flags).map((name) => {
    const type: 'boolean' | 'string' = flags[name].value === undefined ? 'boolean' : 'string'
    return [name, { type } as const]
  }),
)

/**
 * Parses the arguments after the program's name. `--flag=value` and `--flag value` are the same.
 *
 * @throws {UsageError} if a flag is unknown or repeated, lacks its value, or has one that it does not accept. Messages
 * never contain a value, as it may be a key.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const parserConfig = {
    args: [...argv],
    options: parserOptions,
    strict: false,
    allowPositionals: true,
  } as const
  const { positionals, tokens } = parseArgs({ ...parserConfig, tokens: true })
  const knownFlags = positionals[0] === 'judge' ? flagNames.judge : listNames(flags)
  const values: Partial<Record<FlagName, string>> = {}
  const lists: Partial<Record<FlagName, readonly string[]>> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { rawName: source, value = '', inlineValue = false } = token
    const name = listNames(flags).find((flag) => source === `--${flag}`)
    if (name === undefined)
      throw new UsageError(`unknown option "${source}"; expected one of ${knownFlags.join(', ')}`)
    const { value: placeholder, isRepeatable = false } = flags[name]
    if (placeholder === undefined && inlineValue) throw new UsageError(`${source} does not take a value`)
    if (placeholder !== undefined && (value === '' || (value.startsWith('--') && !inlineValue)))
      throw new UsageError(`${source} requires a value: ${source} ${placeholder}`)
    if (values[name] !== undefined && !isRepeatable)
      throw new UsageError(`${source} was given twice: give it once`)
    values[name] = value
    if (isRepeatable) lists[name] = [...(lists[name] ?? []), value]
  }
  return { positionals, values, lists }
}
