import type { HeaderValue, JudgeOptions, RunOptions } from '../index.ts'
import { parseIsoTime, readSelection } from '../judge/selection.ts'
import { findTlsProblem } from '../network/tls-options.ts'
import { type Redact, redactUrl } from '../redact/evidence.ts'
import type { Secret } from '../redact/redactor.ts'
import { toVariableName } from '../run/extra-headers.ts'
import { readOptions } from '../run/options.ts'
import { createRunRedactor, redactReasons } from '../run/secrets.ts'
import { exhaustsLimit, profiles } from '../steps/profile.ts'
import { toPrintable } from '../transcript/printable.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'
import { readText } from './files.ts'
import type { CommandLine } from './flags.ts'
import { readKnownFailures } from './known-failures.ts'
import { type Environment, selectProxy } from './proxy-environment.ts'
import { parseChoice, parseDecimal, parseInteger, UsageError } from './values.ts'

type Values = CommandLine['values']

function parseNow(text: string): Date {
  const time = parseIsoTime(text)
  if (time === undefined)
    throw new UsageError(
      '--now must be a date, or a time with its zone, such as 2030-12-07 or 2030-12-07T10:00:00Z',
    )
  return new Date(time)
}

/**
 * Reads the flags of `judge`. Throws a `UsageError` if one is wrong.
 *
 * @param redact Replaces secrets in the reasons of known failures.
 */
export function readJudgeOptions(values: Values, redact: Redact): JudgeOptions {
  const options = {
    ...(values.only && { only: parseRuleNames(values.only) }),
    ...(values.skip && { skip: parseRuleNames(values.skip) }),
    ...(values['known-failures'] && {
      knownFailures: redactReasons(readKnownFailures(values['known-failures']), redact),
    }),
    ...(values.now && { now: parseNow(values.now) }),
    ...(values.plan && { plan: parseChoice('plan', values.plan, ratePlanNames) }),
  }
  rethrowAsUsage(() => readSelection(options))
  return options
}

const parseRuleNames = (text: string): readonly string[] =>
  text.split(',').map((name) => name.trim().toUpperCase())

/**
 * Reads the options of a run from flags and the environment. Throws a `UsageError` that names the missing or wrong one.
 */
export function readRunOptions(
  baseUrl: string,
  { values, lists }: CommandLine,
  env: Environment,
): RunOptions {
  const profile = parseChoice('profile', values.profile ?? 'read', profiles)
  const key = values['api-key'] ?? env.PET_ADOPTION_API_KEY
  const isDry = values['dry-run'] !== undefined
  const throttleKeyValue = values['throttle-key'] ?? env.PET_ADOPTION_THROTTLE_KEY
  const throttleKey = throttleKeyValue || (isDry && exhaustsLimit(profile) ? 'dry-run-throttle' : undefined)
  if (!key && !isDry) throw new UsageError('the API key is missing: set PET_ADOPTION_API_KEY')
  if (exhaustsLimit(profile) && !throttleKey) {
    throw new UsageError(
      `--profile ${profile} requires a throttle key: set PET_ADOPTION_THROTTLE_KEY to a second key`,
    )
  }
  const runOptions: RunOptions = {
    baseUrl,
    apiKey: key || 'dry-run',
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
  const redact = rethrowAsUsage(() => createOptionsRedactor(runOptions))
  return { ...runOptions, ...readJudgeOptions(values, redact) }
}

/** `$NAME`, `${NAME}`, or `$$` for a dollar sign. */
const variablePattern = /\$(?:(\$)|(\w+)|\{(\w+)\})/g

/**
 * Reads the values of `--header`. Variables are replaced by their values, and `$$` by a dollar sign. Throws a
 * `UsageError` without the value.
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
  const value = template.replace(
    variablePattern,
    (whole, dollar?: string, plain?: string, braced?: string) => {
      if (dollar !== undefined) return dollar
      const variable = plain ?? braced ?? ''
      const variableValue = env[variable]
      if (!variableValue)
        throw new UsageError(`--header ${name} uses the variable ${variable}, which is not set`)
      parts.push({ value: variableValue, placeholder: whole })
      return variableValue
    },
  )
  // A value without variables may be secret, too. It is shown as a variable with the header's name.
  return parts.length === 0
    ? { value, shown: `$${toVariableName(name)}` }
    : { value, shown: template.replaceAll('$$', '$'), parts }
}

const tlsFiles = [
  { option: 'ca', flag: 'ca', what: 'CA certificates' },
  { option: 'clientCert', flag: 'client-cert', what: 'client certificate' },
  { option: 'clientKey', flag: 'client-key', what: 'private key' },
] as const

/** Reads the files for TLS. Throws a `UsageError` if one is missing or wrong. */
function readTlsFiles(values: Values): Pick<RunOptions, 'tls'> {
  const givenFiles = tlsFiles.filter(({ flag }) => values[flag] !== undefined)
  if ((values['client-cert'] === undefined) !== (values['client-key'] === undefined))
    throw new UsageError('--client-cert and --client-key must be given together')
  const tls = {
    ...Object.fromEntries(
      givenFiles.map(({ option, flag, what }) => [option, readText(what, values[flag] ?? '')]),
    ),
    ...(values.insecure !== undefined && { rejectUnauthorized: false }),
  }
  const tlsProblem = findTlsProblem(tls)
  const flag = givenFiles.find(({ option }) => option === tlsProblem?.option)?.flag
  if (tlsProblem !== undefined && flag !== undefined)
    throw new UsageError(`--${flag} ${values[flag]}: the file ${tlsProblem.problem}`)
  return Object.keys(tls).length === 0 ? {} : { tls }
}

/** The options' names in messages. */
const optionNames: Readonly<Record<string, string>> = {
  baseUrl: 'the base URL',
  apiKey: 'the API key',
  throttleKey: 'the throttle key',
  categoryId: '--category-id',
  maxRequests: '--max-requests',
  timeoutMs: '--timeout',
  pace: '--pace',
  headers: '--header',
  only: '--only',
  skip: '--skip',
  proxy: 'the proxy from the environment',
}

/** Runs a task. Its `TypeError` about an option becomes a `UsageError` about the flag. */
export function rethrowAsUsage<Result>(task: () => Result, where = ''): Result {
  try {
    return task()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(where + error.message.replace(/^\w+/, (option) => optionNames[option] ?? option))
  }
}

/** Creates a function that redacts the secrets in the options: keys, header values and proxy credentials. */
export function createOptionsRedactor(options: RunOptions): Redact {
  const settings = readOptions(options)
  return createRunRedactor(settings, settings)
}

/** Formats the base URL without secrets, which may be in its path. */
export function formatBaseUrl(options: RunOptions): string {
  return toPrintable(redactUrl(options.baseUrl, createOptionsRedactor(options)))
}
