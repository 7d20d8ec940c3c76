import { formatNames } from '../report/formats.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'

/** One flag of the command line. */
interface Flag {
  /** The placeholder of its value in the help; a flag without one is on or off. */
  readonly value?: string
  readonly help: string
  /** Whether `judge` accepts it too. */
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

/** Every flag by its name, in the order of the help. */
export const flags: Readonly<Record<FlagName, Flag>> = {
  key: {
    value: 'KEY',
    help: 'the API key; prefer PET_ADOPTION_API_KEY, as arguments show in lists of processes',
  },
  profile: {
    value: 'NAME',
    help: 'read (default): GET only, at most 40 requests; create: POST too, at most 60 requests and 14 animals; exhaust: read, and the throttle key is driven to its limit; all: create and exhaust',
  },
  'throttle-key': {
    value: 'KEY',
    help: 'the key that exhaust drives to its limit; prefer PET_ADOPTION_THROTTLE_KEY',
  },
  plan: {
    value: 'NAME',
    help: `the plan of the key: ${ratePlanNames.join(', ')}; RATE-8 then expects its numbers`,
    judge: true,
  },
  'category-id': { value: 'N', help: 'an existing category, for the animals that create adds' },
  'max-requests': { value: 'N', help: 'the most requests that the run may send' },
  timeout: { value: 'MS', help: 'the most milliseconds that one exchange may take; 10000 by default' },
  only: { value: 'IDS', help: 'judge only these rules: ids or families, such as LIST-1,AUTH', judge: true },
  skip: { value: 'IDS', help: 'do not judge these rules', judge: true },
  'known-failures': {
    value: 'FILE',
    help: 'JSON: [{ "rule", "reason", "until"? }]; these failures do not count; a listed rule that passes is an error',
    judge: true,
  },
  'allow-inconclusive': {
    help: 'exit 0 although requirements could not be judged for lack of evidence',
    judge: true,
  },
  now: {
    value: 'ISO-DATE',
    help: 'the clock of the suite, for rules that depend on the date of removal',
    judge: true,
  },
  format: { value: 'NAME', help: `${formatNames.join(', ')}; pretty by default`, judge: true },
  out: { value: 'FILE', help: 'write the report to a file, and a summary to the terminal', judge: true },
  'save-transcript': {
    value: 'FILE',
    help: 'write the requests and responses to a file, without keys, for judge',
  },
  'dry-run': { help: 'print the requests of the run and their cost; send nothing' },
  list: { help: 'print every rule' },
  help: { help: 'print this text', judge: true },
  version: { help: 'print the version', judge: true },
}

/** The names of all flags, in the order of the help. */
export const flagNames: readonly FlagName[] =
  // a literal's own keys
  Object.keys(flags) as FlagName[]
