import { catalogue, type JudgeOptions, type RunOptions } from '../../index.ts'
import { burns, profiles } from '../../steps/profile.ts'

import { ratePlanNames } from '../../transcript/rate-plans.ts'

import { readKnownFailures } from '../known-failures.ts'
import type { CommandLine } from './command-line.ts'
import { UsageError } from './errors.ts'
import { readHeaders } from './headers.ts'
import { type Environment, proxyFor } from './proxy-environment.ts'
import { tlsOptions } from './tls-files.ts'
import { decimal, integer, isoTime, oneOf, ruleIds } from './values.ts'

type Values = CommandLine['values']

/** Returns an object with an option under its name; an empty one if its flag is not given. */
export function given<Name extends string, Value>(
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

/** Reads the flags of `judge`. Throws a UsageError that names an invalid one. */
export function judgeOptions(values: Values): JudgeOptions {
  const ids = catalogue.map(({ id }) => id)
  return {
    ...given('only', values.only, (text) => ruleIds('only', text, ids)),
    ...given('skip', values.skip, (text) => ruleIds('skip', text, ids)),
    ...given('knownFailures', values['known-failures'], (path) => readKnownFailures(path, ids)),
    ...given('now', values.now, readDate),
    ...given('plan', values.plan, (text) => oneOf('plan', text, ratePlanNames)),
  }
}

/** Reads the flags and the keys of a run. Throws a UsageError that names what is missing or invalid. */
export function runOptions(baseUrl: string, { values, lists }: CommandLine, env: Environment): RunOptions {
  const profile = oneOf('profile', values.profile ?? 'read', profiles)
  const key = values.key ?? env.PET_ADOPTION_API_KEY
  const isDry = values['dry-run'] !== undefined
  const named = values['throttle-key'] ?? env.PET_ADOPTION_THROTTLE_KEY
  const throttleKey = named || (isDry && burns(profile) ? 'dry-run-throttle' : undefined)
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
    ...given('pace', values.pace, (text) => decimal('pace', text)),
    ...(lists.header && { headers: readHeaders(lists.header, env) }),
    ...tlsOptions(values),
    ...proxyFor(baseUrl, env),
    ...judgeOptions(values),
  }
}

/** The options of the run against the baseline: those of the first one, with another address and its keys. */
export function baselineOptions(baseUrl: string, options: RunOptions, env: Environment): RunOptions {
  const { proxy: _, ...shared } = options
  const throttleKey = env.PET_ADOPTION_AGAINST_THROTTLE_KEY || options.throttleKey
  return {
    ...shared,
    baseUrl,
    key: env.PET_ADOPTION_AGAINST_KEY || options.key,
    ...(throttleKey !== undefined && { throttleKey }),
    ...proxyFor(baseUrl, env),
  }
}
