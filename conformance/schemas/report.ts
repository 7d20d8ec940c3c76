import { verdictNames } from '../report/verdicts.ts'
import { profiles } from '../steps/profile.ts'
import {
  arrayOf,
  baseUrl,
  count,
  exchangeId,
  headers,
  isoTime,
  milliseconds,
  object,
  oneOfTexts,
  type Schema,
  text,
} from './schema.ts'
import { attemptReason, request, status } from './transcript.ts'

const exchangeIds = arrayOf(exchangeId)
const ruleId = { ...text('the id of a rule'), minLength: 1, maxLength: 100 }
const ruleIds = arrayOf(ruleId)
const section = { ...text('the section of the interface, such as 4.1'), maxLength: 20 }
const statement = { ...text('the anchor of the statement in interface.md'), maxLength: 100 }

const excerpt = object({ before: text(), marked: text('empty if nothing is marked'), after: text() })

const evidence = object(
  { exchange: exchangeId, status },
  {
    contentType: text('as sent; absent if there is none'),
    at: text('the part at fault, in words'),
    header: excerpt,
    body: excerpt,
  },
  { description: 'the response that breaks the rule' },
)

const rule = object(
  {
    id: ruleId,
    level: oneOfTexts(['MUST', 'SHOULD', 'HTTP']),
    section,
    statement,
    title: text('what the rule requires, in one sentence'),
    profile: oneOfTexts(['read', 'create', 'exhaust'], 'the profile that the rule requires'),
    verdict: oneOfTexts(verdictNames),
    reason: text('why the rule has this verdict'),
    exchanges: {
      ...exchangeIds,
      description: 'those that the rule judged; of a broken rule, the first one is the evidence',
    },
  },
  {
    expected: text('what the interface requires, of a broken rule'),
    got: text('what was returned, of a broken rule'),
    evidence,
    known: text('the reason of the known failure'),
    knownAs: text('the family under which the known failure is listed'),
    deselected: oneOfTexts(['profile', 'filter'], 'why the rule was not selected'),
    curl: text('the command that repeats the request of the evidence'),
  },
)

const outcome: Readonly<Record<string, Schema>> = {
  response: object({
    status,
    headers,
    body: text('at most 65,536 characters'),
    ms: milliseconds('from sending to the last byte'),
  }),
  error: text('why there is no response'),
}

const exchange = object(
  { id: exchangeId, request },
  { attempts: arrayOf(object({ reason: attemptReason }, outcome)), ...outcome },
)

/** The JSON Schema of a report. */
export const reportSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:pet-adoption-service:conformance:report-1',
  title: 'A report of the conformance suite of the pet adoption service',
  ...object(
    {
      suite: object({ name: text(), version: text(), interface: text('the version of the interface') }),
      target: object({ baseUrl }),
      profile: oneOfTexts(profiles),
      startedAt: isoTime('when the run began'),
      durationMs: milliseconds('the duration of the run'),
      requests: count('the number of requests that were sent'),
      creates: count('the number of creations that were accepted'),
      created: arrayOf(object({ id: text(), name: text() }), {
        description: 'the animals that the run created',
      }),
      summary: object(
        Object.fromEntries(verdictNames.map((verdict) => [verdict, count()])),
        {},
        { description: 'the number of rules for each verdict' },
      ),
      rules: arrayOf(rule),
      causes: arrayOf(
        object({ id: text(), title: text(), advice: text(), rules: ruleIds, exchanges: exchangeIds }),
        { description: 'why rules do not hold' },
      ),
      observations: arrayOf(object({ gap: text(), section, statement, observed: text() }), {
        description: 'how the deployment decides what the interface leaves open',
      }),
      notes: arrayOf(
        object({
          kind: oneOfTexts(['connection', 'repeated', 'waited', 'network']),
          message: text(),
          exchanges: exchangeIds,
        }),
        { description: 'remarks on how the run went' },
      ),
      exchanges: arrayOf(exchange),
    },
    { endedEarly: text('why the run ended early; absent if it sent everything') },
  ),
}
