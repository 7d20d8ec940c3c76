import { profiles } from '../steps/profile.ts'
import { credentials, methods } from '../steps/step.ts'
import { mostExchanges, mostOfBody } from '../transcript/bounds.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'
import type { Outcome, Transcript } from '../transcript/transcript.ts'
import { parseIsoTime } from './selection.ts'

/**
 * Returns a transcript as JSON text for a file. The text contains no key.
 *
 * @param transcript A transcript that `record` or `readTranscript` returned.
 *
 * @example
 * import { writeFileSync } from 'node:fs'
 * import { record, writeTranscript } from 'pet-adoption-service/conformance'
 *
 * const transcript = await record({ baseUrl: 'https://api.example.com/v1', key: 'key-of-a-test-account' })
 * writeFileSync('transcript.json', writeTranscript(transcript))
 */
export function writeTranscript(transcript: Transcript): string {
  return `${JSON.stringify(transcript, undefined, 2)}\n`
}

/**
 * Reads the text of a saved transcript.
 *
 * @param text Text that `writeTranscript` returned.
 * @throws {TypeError} The text is not JSON, or not a transcript; the message names the first member that is wrong.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { readTranscript } from 'pet-adoption-service/conformance'
 *
 * const transcript = readTranscript(readFileSync('transcript.json', 'utf8'))
 * console.log(transcript.baseUrl, transcript.startedAt)
 */
export function readTranscript(text: string): Transcript {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TypeError('the transcript is not JSON: save one with --save-transcript')
  }
  checkTranscript(value, '$')
  const transcript = value as Transcript // checked
  checkIds(transcript)
  return transcript
}

/** Checks the value of a member at a place, such as `$.exchanges[3].id`. Throws a TypeError that names the place. */
type Check = (value: unknown, place: string) => void

function wrong(place: string, problem: string): never {
  throw new TypeError(`the transcript cannot be read: ${place} ${problem}`)
}

/** A text of a form, up to a maximum length. */
const text =
  (form = /(?:)/, most = Number.POSITIVE_INFINITY): Check =>
  (value, place) => {
    if (typeof value !== 'string') wrong(place, 'must be a text')
    if (value.length > most) wrong(place, `must have at most ${most} characters`)
    if (!form.test(value)) wrong(place, `must match ${form.source}`)
  }

const number =
  (from: number, to: number, isWhole = true): Check =>
  (value, place) => {
    const isRight = typeof value === 'number' && value >= from && value <= to
    if (!isRight || (isWhole && !Number.isInteger(value)))
      wrong(place, `must be a ${isWhole ? 'whole number' : 'number'} from ${from} to ${to}`)
  }

const oneOf =
  (...words: readonly unknown[]): Check =>
  (value, place) => {
    if (!words.includes(value))
      wrong(place, `must be ${words.map((word) => JSON.stringify(word)).join(' or ')}`)
  }

const listOf =
  (check: Check, most = Number.POSITIVE_INFINITY): Check =>
  (value, place) => {
    if (!Array.isArray(value)) wrong(place, 'must be an array')
    if (value.length > most) wrong(place, `must have at most ${most} elements`)
    for (const [index, element] of value.entries()) check(element, `${place}[${index}]`)
  }

/** An object with these members; it may have others. */
const object =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, place) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) wrong(place, 'must be an object')
    const members = new Map<string, unknown>(Object.entries(value))
    for (const [name, check] of Object.entries({ ...required, ...optional })) {
      if (members.has(name)) check(members.get(name), `${place}.${name}`)
      else if (name in required) wrong(`${place}.${name}`, 'is missing')
    }
  }

const flag = oneOf(true, false)
/** Milliseconds, at most 31 years. */
const milliseconds = number(0, 1e12, false)
const exchangeId = text(/./s, 100)

const time: Check = (value, place) => {
  if (typeof value !== 'string' || parseIsoTime(value) === undefined) wrong(place, 'must be an ISO time')
}

const httpUrl: Check = (value, place) => {
  if (typeof value !== 'string' || !/^https?:\/\/\S+$/.test(value) || !URL.canParse(value))
    wrong(place, 'must be an http or https address')
}

/** A name, as rules look for it, and a value. */
const header: Check = (pair, place) => {
  listOf(text(), 2)(pair, place)
  const [name, value] = pair as readonly string[] // a list of texts
  if (value === undefined) wrong(place, 'must have 2 elements')
  text(/^[^A-Z]*$/)(name, `${place}[0]`)
}
const headers = listOf(header)

/** A saved body is longer than the one that was read where placeholders replace shorter keys. */
const mostSaved = 4 * mostOfBody

const response = object(
  {
    status: number(100, 999),
    headers,
    body: text(undefined, mostSaved),
    utf8: flag,
    truncated: flag,
    ms: milliseconds,
  },
  { withheld: oneOf(true) },
)

const outcome: Check = (value, place) => {
  object({ kind: oneOf('response', 'error') })(value, place)
  const { kind } = value as Outcome // an object with one of the two kinds
  object(kind === 'response' ? { response } : { error: text() })(value, place)
}

const request = object({ method: oneOf(...methods), target: text(/^\/\S*$/), headers }, { body: text() })

const exchange = object(
  { id: exchangeId, credential: oneOf(...credentials), at: milliseconds, request, outcome },
  { times: number(2, 10), continues: flag, leftover: text() },
)

const wait = object({
  before: exchangeId,
  reason: oneOf('X-RateLimit-Remaining', 'Retry-After'),
  ms: milliseconds,
})

const checkTranscript = object(
  {
    version: oneOf(1),
    baseUrl: httpUrl,
    profile: oneOf(...profiles),
    startedAt: time,
    now: time,
    durationMs: milliseconds,
    marker: text(undefined, 100),
    exchanges: listOf(exchange, mostExchanges),
  },
  {
    plan: oneOf(...ratePlanNames),
    categoryId: text(/^-?\d{1,19}$/),
    endedEarly: text(),
    network: object({}, { insecure: oneOf(true), proxy: text() }),
    waits: listOf(wait, mostExchanges),
  },
)

/** Checks the transcript as a whole: no id occurs twice. */
function checkIds({ exchanges }: Transcript): void {
  const places = new Map<string, number>()
  for (const [index, { id }] of exchanges.entries()) {
    const first = places.get(id)
    if (first !== undefined) wrong(`$.exchanges[${index}].id`, `repeats that of $.exchanges[${first}]`)
    places.set(id, index)
  }
}
