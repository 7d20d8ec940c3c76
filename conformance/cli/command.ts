import { catalogue, type JudgeOptions, type RunOptions } from '../index.ts'
import { burns } from '../options.ts'
import { type Format, formatNames } from '../report/formats.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'
import { profiles } from '../transcript/transcript.ts'
import type { CommandLine } from './command-line.ts'
import { UsageError } from './errors.ts'
import { flagNames, flags } from './flags.ts'
import { readKnownFailures } from './known-failures.ts'
import { integer, isoTime, oneOf, ruleIds } from './values.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the report goes, and what its exit code ignores. */
export interface Output {
  readonly format: Format
  readonly out?: string
  readonly allowInconclusive: boolean
}

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' | 'version' | 'list' }
  | { readonly kind: 'dry-run'; readonly options: RunOptions }
  | {
      readonly kind: 'run'
      readonly options: RunOptions
      readonly output: Output
      readonly saveTranscript?: string
    }
  | {
      readonly kind: 'judge'
      readonly transcript: string
      readonly options: JudgeOptions
      readonly output: Output
    }

type Values = CommandLine['values']

/** Returns an object with an option under its name; an empty one if its flag is not given. */
function given<Name extends string, Value>(
  name: Name,
  text: string | undefined,
  read: (text: string) => Value,
): { readonly [key in Name]?: Value } {
  // the one key of the object is the name
  return text === undefined ? {} : ({ [name]: read(text) } as { readonly [key in Name]?: Value })
}

function readDate(text: string): Date {
  const time = isoTime(text)
  if (time === undefined)
    throw new UsageError('--now must be an ISO date, such as 2030-12-07 or 2030-12-07T10:00:00Z')
  return new Date(time)
}

function judgeOptions(values: Values): JudgeOptions {
  const ids = catalogue.map(({ id }) => id)
  return {
    ...given('only', values.only, (text) => ruleIds('only', text, ids)),
    ...given('skip', values.skip, (text) => ruleIds('skip', text, ids)),
    ...given('knownFailures', values['known-failures'], (path) => readKnownFailures(path, ids)),
    ...given('now', values.now, readDate),
    ...given('plan', values.plan, (text) => oneOf('plan', text, ratePlanNames)),
  }
}

function output(values: Values): Output {
  return {
    format: oneOf('format', values.format ?? 'pretty', formatNames),
    ...given('out', values.out, (path) => path),
    allowInconclusive: values['allow-inconclusive'] !== undefined,
  }
}

function runOptions(baseUrl: string, values: Values, env: Environment): RunOptions {
  const profile = oneOf('profile', values.profile ?? 'read', profiles)
  const throttleKey = values['throttle-key'] ?? env.PET_ADOPTION_THROTTLE_KEY
  const key = values.key ?? env.PET_ADOPTION_API_KEY
  const isDry = values['dry-run'] !== undefined
  if (!key && !isDry)
    throw new UsageError('the key is missing: set PET_ADOPTION_API_KEY to one that the deployment accepts')
  if (burns(profile) && !throttleKey) {
    throw new UsageError(
      `--profile ${profile} requires a throttle key: set PET_ADOPTION_THROTTLE_KEY to another key than the first`,
    )
  }
  return {
    baseUrl,
    key: key || 'dry-run',
    profile,
    ...(throttleKey ? { throttleKey } : {}),
    ...given('categoryId', values['category-id'], (text) => integer('category-id', text)),
    ...given('maxRequests', values['max-requests'], (text) => Number(integer('max-requests', text))),
    ...given('timeoutMs', values.timeout, (text) => Number(integer('timeout', text))),
    ...judgeOptions(values),
  }
}

function judgeCommand(positionals: readonly string[], values: Values): Command {
  const [transcript, ...others] = positionals
  if (transcript === undefined || others.length > 0)
    throw new UsageError('judge requires one file: judge TRANSCRIPT.json')
  const other = flagNames.find((name) => name in values && flags[name].judge === undefined)
  if (other !== undefined) throw new UsageError(`--${other} is not a flag of judge, which sends nothing`)
  return { kind: 'judge', transcript, options: judgeOptions(values), output: output(values) }
}

/**
 * Returns what a command line and the environment ask for.
 *
 * @throws {UsageError} An argument is missing, invalid, or does not go with the others.
 */
export function readCommand({ positionals, values }: CommandLine, env: Environment): Command {
  for (const kind of ['help', 'version', 'list'] as const) if (kind in values) return { kind }
  const [first, ...others] = positionals
  if (first === 'judge') return judgeCommand(others, values)
  if (first === undefined)
    throw new UsageError('the base URL is missing: give one such as https://api.example.com/v1')
  if (others.length > 0)
    throw new UsageError('the base URL is given twice: give it once, and each flag with two dashes')
  const options = runOptions(first, values, env)
  if ('dry-run' in values) return { kind: 'dry-run', options }
  return {
    kind: 'run',
    options,
    output: output(values),
    ...given('saveTranscript', values['save-transcript'], (path) => path),
  }
}
