import { parseArgs } from 'node:util'
import { formatNames } from '../report/formats.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'
import { UsageError } from './values.ts'

/** One flag of the command line. */
export interface Flag {
  /** The placeholder of its value in the help; a flag without one is on or off. */
  readonly value?: string
  readonly help: string
  /** Set if it may be given more than once. */
  readonly isRepeatable?: true
}

/** The flags that only a run has, in the order of the help. */
const ofRun = {
  key: {
    value: 'KEY',
    help: 'the API key; prefer PET_ADOPTION_API_KEY, as arguments show in lists of processes',
  },
  profile: {
    value: 'NAME',
    help: 'read (default): GET only, at most 40 requests; create: POST too, at most 80 requests and 24 animals; exhaust: read, and the throttle key is driven to its limit; all: create and exhaust',
  },
  'throttle-key': {
    value: 'KEY',
    help: 'the key that exhaust drives to its limit; prefer PET_ADOPTION_THROTTLE_KEY',
  },
  'category-id': { value: 'N', help: 'an existing category, for the animals that create adds' },
  'max-requests': { value: 'N', help: 'the most requests that the run may send' },
  timeout: { value: 'MS', help: 'the most milliseconds that one exchange may take; 10000 by default' },
  pace: {
    value: 'N',
    help: 'the most requests a second, such as 0.5 or 20; without it, a run waits only where no request remains',
  },
  header: {
    value: "'NAME: VALUE'",
    help: "a header of every request, as often as needed; 'X-Tenant: $TENANT' takes the value from the environment; $$ is a $",
    isRepeatable: true,
  },
  ca: { value: 'FILE', help: 'certificates of authorities (PEM) to trust besides the usual ones' },
  cert: { value: 'FILE', help: 'the certificate of the client (PEM); requires --key-file' },
  'key-file': { value: 'FILE', help: 'the private key of --cert (PEM), not encrypted' },
  insecure: { help: 'do not verify certificates; the report says so' },
  'save-transcript': {
    value: 'FILE',
    help: 'write the requests and responses to a file, without keys, for judge',
  },
  'write-known-failures': {
    value: 'FILE',
    help: 'write what fails now as a file for --known-failures; known failures that still fail remain in it',
  },
  'allow-inconclusive': {
    help: 'exit 0 although requirements could not be judged for lack of evidence',
  },
  quiet: { help: 'show failures and the outcome alone on the terminal' },
  verbose: { help: 'show each exchange on stderr as it happens' },
  'dry-run': {
    help: 'print the requests of the run and their cost, with --format json as JSON; send nothing',
  },
  list: { help: 'print every rule, with --format json as JSON' },
} as const

/** The flags of a run and of `judge`. */
const ofJudge = {
  plan: {
    value: 'NAME',
    help: `the plan of the key: ${ratePlanNames.join(', ')}; RATE-8 then expects its numbers` as string,
  },
  only: {
    value: 'IDS',
    help: 'judge only these rules, of which the run sends the whole profile: ids or families, such as LIST-1,AUTH',
  },
  skip: { value: 'IDS', help: 'do not judge these rules' },
  'known-failures': {
    value: 'FILE',
    help: 'JSON: [{ "rule", "reason", "until"? }] of rules by id; these failures do not count; a listed rule that passes is an error',
  },
  now: {
    value: 'ISO-DATE',
    help: 'the clock of the suite, for rules that depend on the date of removal',
  },
  format: {
    value: 'NAME[=FILE]',
    help: `${formatNames.join(', ')}; pretty by default; may be repeated: at most one without a file` as string,
    isRepeatable: true,
  },
  help: { help: 'print this text' },
  version: { help: 'print the version' },
} as const

export type FlagName = keyof typeof ofRun | keyof typeof ofJudge

/** Every flag by its name, in the order of the help. */
export const flags: Readonly<Record<FlagName, Flag>> = { ...ofRun, ...ofJudge }

// the keys of literals
const listNames = (group: object): readonly FlagName[] => Object.keys(group) as FlagName[]

/** The names of the flags that only a run has, and of the flags that `judge` has too, in the same order. */
export const flagNames: Readonly<Record<'run' | 'judge', readonly FlagName[]>> = {
  run: listNames(ofRun),
  judge: listNames(ofJudge),
}

/** A command line, split into flags and other arguments. */
export interface CommandLine {
  readonly positionals: readonly string[]
  /** The values of the flags; a flag without a value has the empty string. */
  readonly values: Readonly<Partial<Record<FlagName, string>>>
  /** All values of each flag that may be repeated. */
  readonly lists: Readonly<Partial<Record<FlagName, readonly string[]>>>
}

const parserOptions = Object.fromEntries(
  listNames(flags).map((name) => {
    const type: 'boolean' | 'string' = flags[name].value === undefined ? 'boolean' : 'string'
    return [name, { type, multiple: true } as const]
  }),
)

/**
 * Reads the arguments after the program's name. `--flag=value` and `--flag value` are the same.
 *
 * @throws {UsageError} A flag is unknown or repeated, lacks its value, or has one that it does not accept. No message
 * repeats a value: it may be a key.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const parsed = parse(argv)
  const values: Partial<Record<FlagName, string>> = {}
  const lists: Partial<Record<FlagName, readonly string[]>> = {}
  for (const name of listNames(flags)) {
    const all = parsed.values[name]?.map((value) => (value === true ? '' : String(value)))
    if (all === undefined) continue
    const { value, isRepeatable = false } = flags[name]
    if (all.length > 1 && !isRepeatable) throw new UsageError(`--${name} was given twice: give it once`)
    if (value !== undefined && all.includes(''))
      throw new UsageError(`--${name} requires a value: --${name} ${value}`)
    values[name] = all.at(-1) ?? ''
    if (isRepeatable) lists[name] = all
  }
  return { positionals: parsed.positionals, values, lists }
}

/** Joins a flag and a negative number, such as `--category-id -5`, which would otherwise be taken for a flag. */
function joinNegative(argv: readonly string[]): readonly string[] {
  return argv.flatMap((argument, n) => {
    const isValue = takesValue(argv[n - 1]) && /^-\d/.test(argument)
    const next = takesValue(argument) ? argv[n + 1] : undefined
    if (isValue) return []
    return next !== undefined && /^-\d/.test(next) ? [`${argument}=${next}`] : [argument]
  })
}

function takesValue(argument = ''): boolean {
  const name = listNames(flags).find((flag) => argument === `--${flag}`)
  return name !== undefined && flags[name].value !== undefined
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...joinNegative(argv)], options: parserOptions, allowPositionals: true })
  } catch (error) {
    const [problem = ''] = String(error)
      .replace(/^TypeError[^:]*: /, '')
      .split('. To specify a positional')
    const [, unknown] = /^Unknown option '(.+?)'/.exec(problem) ?? []
    throw new UsageError(
      unknown === undefined
        ? `${problem.replaceAll('\n', ' ')}: --help lists all options`
        : `unknown option "${unknown}"; expected one of ${listNames(flags).join(', ')}`,
    )
  }
}
