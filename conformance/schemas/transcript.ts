import { profiles } from '../steps/profile.ts'
import { credentials } from '../steps/step.ts'
import { mostExchanges, mostOfAllHeaders, mostOfBody, mostOfRun } from '../transcript/bounds.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'
import type { Exchange, HeaderList, Outcome, Transcript } from '../transcript/transcript.ts'
import { readDocument } from './problem.ts'
import {
  arrayOf,
  baseUrl,
  exchangeId,
  headers,
  isoTime,
  isTrue,
  milliseconds,
  object,
  oneOfTexts,
  type Schema,
  text,
} from './schema.ts'

/** The schema of a request, in transcripts and reports. */
export const request: Schema = object(
  {
    method: { type: 'string', description: 'the method, such as GET', pattern: '^[A-Z]+$', maxLength: 20 },
    target: { type: 'string', description: 'path and query below the base URL', pattern: '^/[^\\s]*$' },
    headers,
  },
  { body: text('the text of the body; absent if none was sent') },
)

/** The schema of a status. */
export const status: Schema = { type: 'integer', minimum: 100, maximum: 999 }

const response: Schema = object(
  {
    status,
    headers,
    body: text('the text of the body; a remark, or nothing, if it is not stored'),
    utf8: { type: 'boolean', description: 'whether the bytes of the body are valid UTF-8' },
    truncated: {
      type: 'boolean',
      description: 'whether the body is larger than the suite reads; body is then empty',
    },
    ms: milliseconds('the time from sending to the last byte'),
  },
  {
    withheld: isTrue('the body is not stored, because a key in it could not be redacted'),
    followed: isTrue('more bytes followed than the response has by its headers'),
  },
)

const outcome: Schema = {
  oneOf: [
    object({ kind: oneOfTexts(['response']), response }),
    object({ kind: oneOfTexts(['error']), error: text('why there is no response') }),
  ],
}

const at = milliseconds('when the request was sent, since the start of the run')

/** The schema of why a request was sent again. */
export const attemptReason: Schema = oneOfTexts(['closed', 'unexpected', 'rate-limited'])

const attempt: Schema = object({ reason: attemptReason, at, outcome }, { after: exchangeId })

const exchange: Schema = object(
  { id: exchangeId, credential: oneOfTexts(credentials), at, request, outcome },
  { attempts: arrayOf(attempt, { description: 'the requests before the one that is judged', maxItems: 10 }) },
)

const wait: Schema = object({
  before: exchangeId,
  reason: oneOfTexts(['X-RateLimit-Remaining', 'Retry-After']),
  ms: milliseconds('the length of the wait'),
})

/** The JSON Schema of a saved transcript. Version 1 is the same without `network`, `waits`, `attempts` and `followed`. */
export const transcriptSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:pet-adoption-service:conformance:transcript-2',
  title: 'A transcript of the conformance suite of the pet adoption service',
  ...object(
    {
      version: { type: 'integer', enum: [1, 2] },
      baseUrl,
      profile: oneOfTexts(profiles),
      startedAt: isoTime('the time of the real clock at the start of the run'),
      now: isoTime('the time by which rules judge'),
      durationMs: milliseconds('the duration of the run'),
      marker: { ...text('part of the name of every animal that the run created'), maxLength: 100 },
      exchanges: arrayOf(exchange, {
        description: 'in the order in which they were sent; no id occurs twice',
        maxItems: mostExchanges,
      }),
    },
    {
      plan: oneOfTexts(ratePlanNames, 'the plan of the key'),
      categoryId: { type: 'string', description: 'an int64, as decimal digits', pattern: '^-?\\d{1,19}$' },
      endedEarly: text('why the run ended early; absent if it sent everything'),
      network: object(
        {},
        {
          insecure: isTrue('certificates were not verified'),
          proxy: text('the address of the proxy, without credentials'),
        },
      ),
      waits: arrayOf(wait, {
        description: 'the waits for limits, apart from those for the throttle key',
        maxItems: mostExchanges,
      }),
    },
  ),
}

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
 * Reads the text of a saved transcript. A body beyond the bounds of a run counts as truncated, and names of headers are
 * read in any case.
 *
 * @param text Text that `writeTranscript` returned.
 * @throws {TypeError} The text is not JSON, or not a transcript of version 1 or 2; the message names the place.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { readTranscript } from 'pet-adoption-service/conformance'
 *
 * const transcript = readTranscript(readFileSync('transcript.json', 'utf8'))
 * console.log(transcript.baseUrl, transcript.startedAt)
 */
export function readTranscript(text: string): Transcript {
  // the schema has every member of the type
  const transcript = readDocument(text, transcriptSchema, 'the transcript', '--save-transcript') as Transcript
  const problem = otherProblem(transcript)
  if (problem !== undefined) throw new TypeError(`the transcript cannot be read: ${problem}`)
  let left = mostOfRun
  const bounded = (outcome: Outcome): Outcome => {
    if (outcome.kind === 'error') return outcome
    const response = { ...outcome.response, headers: lowerCase(outcome.response.headers) }
    if (response.body.length <= Math.min(mostOfBody, left)) {
      left -= response.body.length
      return { ...outcome, response }
    }
    return { ...outcome, response: { ...response, body: '', truncated: true } }
  }
  const exchanges = transcript.exchanges.map(({ attempts, outcome, ...rest }): Exchange => {
    const request = { ...rest.request, headers: lowerCase(rest.request.headers) }
    const exchange = { ...rest, request }
    const earlier = attempts?.map((attempt) => ({ ...attempt, outcome: bounded(attempt.outcome) }))
    return { ...exchange, ...(earlier && { attempts: earlier }), outcome: bounded(outcome) }
  })
  return { ...transcript, exchanges }
}

/** Header names in lower case, as rules look for them. */
function lowerCase(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name.toLowerCase(), value])
}

/** What a schema cannot say: each time is real, the base URL is one, no id occurs twice, and headers have a bound. */
function otherProblem({ baseUrl, startedAt, now, exchanges }: Transcript): string | undefined {
  if (!URL.canParse(baseUrl)) return '$.baseUrl must be an http or https address'
  if (Number.isNaN(Date.parse(startedAt))) return '$.startedAt must be a time that exists'
  if (Number.isNaN(Date.parse(now))) return '$.now must be a time that exists'
  if (sizeOfHeaders(exchanges) > mostOfAllHeaders)
    return `$.exchanges must have headers of at most ${mostOfAllHeaders} characters together, with 32 more for each header`
  const places = new Map<string, number>()
  for (const [index, { id }] of exchanges.entries()) {
    const first = places.get(id)
    if (first !== undefined) return `$.exchanges[${index}].id repeats that of $.exchanges[${first}]`
    places.set(id, index)
  }
  return undefined
}

function sizeOfHeaders(exchanges: readonly Exchange[]): number {
  let size = 0
  for (const { request, outcome, attempts = [] } of exchanges) {
    const outcomes = [outcome, ...attempts.map((attempt) => attempt.outcome)]
    const lists = outcomes.map((one) => (one.kind === 'response' ? one.response.headers : []))
    for (const list of [request.headers, ...lists])
      for (const [name, value] of list) size += name.length + value.length + 32
  }
  return size
}
