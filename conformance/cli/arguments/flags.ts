import { formatNames } from '../../report/formats.ts'
import { ratePlanNames } from '../../transcript/rate-plans.ts'

/** One flag of the command line. */
export interface Flag {
  /** The placeholder of its value in the help; a flag without one is on or off. */
  readonly value?: string
  readonly help: string
  /** Whether it may be given more than once. */
  readonly isRepeatable?: true
  /** Whether its value is a list in itself, separated by commas. */
  readonly isList?: true
}

/** The flags of a run alone, in the order of the help. */
const ofRun = {
  key: {
    value: 'KEY',
    help: 'the API key; prefer PET_ADOPTION_API_KEY, as arguments show in lists of processes',
  },
  profile: {
    value: 'NAME',
    help: 'read (default): GET only, at most 40 requests; create: POST too, at most 60 requests and 24 animals; exhaust: read, and the throttle key is driven to its limit; all: create and exhaust',
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
    help: 'the most requests a second, such as 0.5 or 20; without it, only a limit that runs low slows the run down',
  },
  wait: {
    value: 'SECONDS',
    help: 'wait up to so long for a deployment that is starting; 1 to 3600',
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
  against: {
    value: 'URL',
    help: 'run against this deployment as well, with PET_ADOPTION_AGAINST_KEY, and exit with 1 only where the first one is worse',
  },
  cleanup: {
    value: 'COMMAND',
    help: 'after the run, run this program for each created animal, without a shell, with the id as its last argument',
  },
  verbose: { help: 'show each exchange on stderr as it happens' },
  'dry-run': { help: 'print the requests of the run and their cost; send nothing' },
  list: { help: 'print every rule; with --format json, as JSON' },
} as const

/** The flags of a run and of `judge`. */
const ofJudge = {
  plan: {
    value: 'NAME',
    help: `the plan of the key: ${ratePlanNames.join(', ')}; RATE-8 then expects its numbers` as string,
  },
  only: {
    value: 'IDS',
    isList: true,
    help: 'judge only these rules, and send only what they need: ids or families, such as LIST-1,AUTH',
  },
  skip: { value: 'IDS', isList: true, help: 'do not judge these rules' },
  'known-failures': {
    value: 'FILE',
    help: 'JSON: [{ "rule", "reason", "until"? }], rule an id or a family; these failures do not count; a listed rule that passes is an error',
  },
  'write-known-failures': {
    value: 'FILE',
    help: 'write what fails now as a file for --known-failures; known failures that still fail remain in it',
  },
  'allow-inconclusive': {
    help: 'exit 0 although requirements could not be judged for lack of evidence',
  },
  now: {
    value: 'ISO-DATE',
    help: 'the clock of the suite, for rules that depend on the date of removal',
  },
  config: {
    value: 'FILE',
    help: 'JSON of flags by their names, and base-url; the command line overrides it; keys are not accepted',
  },
} as const

/** Describes `--format` with the formats of a command. */
export function formatHelp(names: readonly string[]): string {
  return `${names.join(', ')}; pretty by default; may be repeated: at most one without a file`
}

/** The flags of every command. */
const ofAll = {
  format: {
    value: 'NAME[=FILE]',
    help: formatHelp(formatNames) as string,
    isRepeatable: true,
  },
  out: {
    value: 'FILE',
    help: 'write the format without a file to this file, and a summary to the terminal',
  },
  quiet: { help: 'show failures and the outcome alone on the terminal' },
  help: { help: 'print this text' },
  version: { help: 'print the version' },
} as const

export type FlagName = keyof typeof ofRun | keyof typeof ofJudge | keyof typeof ofAll

/** Every flag by its name, in the order of the help. */
export const flags: Readonly<Record<FlagName, Flag>> = { ...ofRun, ...ofJudge, ...ofAll }

// the keys of literals
const namesOf = (...groups: readonly object[]) => groups.flatMap(Object.keys) as FlagName[]

/** The names of all flags, in the same order. */
export const flagNames: readonly FlagName[] = namesOf(flags)

export type CommandName = 'run' | 'judge' | 'compare'

/** The names of the flags that each command accepts, in the same order. */
export const flagsOf: Readonly<Record<CommandName, readonly FlagName[]>> = {
  run: flagNames,
  judge: namesOf(ofJudge, ofAll),
  compare: namesOf(ofAll),
}
