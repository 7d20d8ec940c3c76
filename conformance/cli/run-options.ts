import type { HeaderValue, JudgeOptions, RunOptions } from '../index.ts'
import { parseIsoTime, readSelection } from '../judge/selection.ts'
import { findTlsProblem } from '../network/tls-options.ts'
import { type Redact, redactUrl } from '../redact/evidence.ts'
import type { Secret } from '../redact/redactor.ts'
import { createVariableName } from '../run/extra-headers.ts'
import { readOptions } from '../run/options.ts'
import { createRunRedactor, redactReasons } from '../run/secrets.ts'
import { burns, profiles } from '../steps/profile.ts'
import { printable } from '../transcript/printable.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'
import { readText } from './files.ts'
import type { CommandLine } from './flags.ts'
import { readKnownFailures } from './known-failures.ts'
import { type Environment, selectProxy } from './proxy-environment.ts'
import { oneOf, parseDecimal, parseInteger, UsageError } from './values.ts'

type Values = CommandLine['values']

function readDate(text: string): Date {
  const time = parseIsoTime(text)
  if (time === undefined)
    throw new UsageError('--now must be an ISO date, such as 2030-12-07 or 2030-12-07T10:00:00Z')
  return new Date(time)
}

/**
 * Reads the flags of `judge`. Throws a UsageError that names an invalid one.
 *
 * @param redact Replaces the secrets that the reasons of known failures may contain.
 */
export function judgeOptions(values: Values, redact: Redact): JudgeOptions {
  const options = {
    ...(values.only && { only: ruleNames(values.only) }),
    ...(values.skip && { skip: ruleNames(values.skip) }),
    ...(values['known-failures'] && {
      knownFailures: redactReasons(readKnownFailures(values['known-failures']), redact),
    }),
    ...(values.now && { now: readDate(values.now) }),
    ...(values.plan && { plan: oneOf('plan', values.plan, ratePlanNames) }),
  }
  rethrowAsUsage(() => readSelection(options))
  return options
}

/** Ids and families of rules, separated by commas, in any case. */
const ruleNames = (text: string): readonly string[] =>
  text.split(',').map((name) => name.trim().toUpperCase())

/** Reads the flags and the keys of a run. Throws a UsageError that names the missing or invalid option. */
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
  const run: RunOptions = {
    baseUrl,
    key: key || 'dry-run',
    profile,
    ...(throttleKey ? { throttleKey } : {}),
    ...(values['category-id'] && { categoryId: parseInteger('category-id', values['category-id']) }),
    ...(values['max-requests'] && {
      maxRequests: Number(parseInteger('max-requests', values['max-requests'])),
    }),
    ...(values.timeout && { timeoutMs: Number(parseInteger('timeout', values.timeout)) }),
    ...(values.pace && { pace: parseDecimal('pace', values.pace) }),
    ...(lists.header && { headers: readHeaders(lists.header, env) }),
    ...readTlsFiles(values),
    ...selectProxy(baseUrl, env),
  }
  const redact = rethrowAsUsage(() => createOptionsRedactor(run))
  return { ...run, ...judgeOptions(values, redact) }
}

/** `$$`, `$NAME` or `${NAME}`. */
const reference = /\$(?:(\$)|(\w+)|\{(\w+)\})/g

/**
 * Reads the values of `--header`: `Name: value`. In the value, `$NAME` and `${NAME}` stand for an environment variable,
 * and `$$` for a dollar sign. Throws a UsageError that quotes no value.
 */
function readHeaders(texts: readonly string[], env: Environment): Readonly<Record<string, HeaderValue>> {
  const headers: Record<string, HeaderValue> = {}
  for (const [index, text] of texts.entries()) {
    const [, name, template] = /^([^:]*?)[ \t]*:(.*)$/s.exec(text) ?? []
    if (name === undefined || template === undefined)
      throw new UsageError(`--header number ${index + 1} must be 'Name: value', such as 'X-Tenant: $TENANT'`)
    if (Object.keys(headers).some((other) => other.toLowerCase() === name.toLowerCase()))
      throw new UsageError(`--header ${name} was given twice: join the values with a comma`)
    headers[name] = fillTemplate(name, template.trim(), env)
  }
  return headers
}

function fillTemplate(name: string, template: string, env: Environment): HeaderValue {
  const parts: Secret[] = []
  const value = template.replace(reference, (whole, dollar?: string, plain?: string, braced?: string) => {
    if (dollar !== undefined) return dollar
    const variable = plain ?? braced ?? ''
    const found = env[variable]
    if (!found) throw new UsageError(`--header ${name} names the variable ${variable}, which is not set`)
    parts.push({ value: found, placeholder: whole })
    return found
  })
  // a value without a variable may be secret, too
  return parts.length === 0
    ? { value, shown: `$${createVariableName(name)}` }
    : { value, shown: template.replaceAll('$$', '$'), parts }
}

const tlsFiles = [
  { option: 'ca', flag: 'ca', what: 'certificates of the authorities' },
  { option: 'cert', flag: 'cert', what: 'certificate of the client' },
  { option: 'key', flag: 'key-file', what: 'private key' },
] as const

/** Reads the files of `--ca`, `--cert` and `--key-file`. Throws a UsageError if one is missing or has other content. */
function readTlsFiles(values: Values): Pick<RunOptions, 'tls'> {
  const given = tlsFiles.filter(({ flag }) => values[flag] !== undefined)
  const tls = {
    ...Object.fromEntries(
      given.map(({ option, flag, what }) => [option, readText(what, values[flag] ?? '')]),
    ),
    ...(values.insecure !== undefined && { rejectUnauthorized: false }),
  }
  const found = findTlsProblem(tls)
  const flag = given.find(({ option }) => option === found?.option)?.flag
  if (found !== undefined && flag !== undefined)
    throw new UsageError(`--${flag} ${values[flag]}: the file ${found.problem}`)
  return Object.keys(tls).length === 0 ? {} : { tls }
}

/** The names that the options of a run have on the command line. */
const names: Readonly<Record<string, string>> = {
  baseUrl: 'the base URL',
  key: 'the key',
  throttleKey: 'the throttle key',
  categoryId: '--category-id',
  maxRequests: '--max-requests',
  timeoutMs: '--timeout',
  pace: '--pace',
  headers: '--header',
  tls: 'the command line',
  only: '--only',
  skip: '--skip',
  proxy: 'the proxy of the environment',
}

/** Makes an error about an option a UsageError, whose message names the flag instead of the option. */
export function rethrowAsUsage<Result>(task: () => Result, where = ''): Result {
  try {
    return task()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(where + error.message.replace(/^\w+/, (option) => names[option] ?? option))
  }
}

/** Creates the function that replaces the secrets in the options of a run: keys, header values, proxy credentials. */
export function createOptionsRedactor(options: RunOptions): Redact {
  const settings = readOptions(options)
  return createRunRedactor(settings, settings)
}

/** Returns the base URL as it is printed: without secrets, which may be in its path. */
export function shownUrl(options: RunOptions): string {
  return printable(redactUrl(options.baseUrl, createOptionsRedactor(options)))
}
