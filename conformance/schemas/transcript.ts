import { profiles } from '../steps/profile.ts'
import type { Credential } from '../steps/step.ts'
import { mostExchanges } from '../transcript/bounds.ts'
import { ratePlanNames } from '../transcript/rate-plans.ts'
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

const credentials: Readonly<Record<Credential, true>> = {
  key: true,
  'key-other-case': true,
  'throttle-key': true,
  'throttle-key-in-query': true,
  'throttle-key-in-header': true,
  'throttle-key-longer': true,
  'throttle-key-shorter': true,
  'throttle-key-swapped-case': true,
  'unknown-key': true,
  'other-scheme': true,
  'empty-token': true,
  none: true,
}

/** The schema of a request, in transcripts and reports. */
export const request: Schema = object(
  {
    method: { type: 'string', description: 'the method, such as GET', pattern: '^[A-Z]+$', maxLength: 20 },
    target: { type: 'string', description: 'path and query below the base address', pattern: '^/[^\\s]*$' },
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
  { id: exchangeId, credential: oneOfTexts(Object.keys(credentials)), at, request, outcome },
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
