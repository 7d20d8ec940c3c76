import {
  always,
  editResponse,
  headers,
  type ItemEdit,
  isCreate,
  isList,
  items,
  json,
  on,
  replaced,
  reset,
  type When,
} from '../change.ts'
import type { Change } from '../deployment.ts'
import { type ApiResponse, jsonResponse } from '../exchange.ts'
import { type Faulty, faultyBy } from '../variant.ts'

type ResponseEdit = (response: ApiResponse) => ApiResponse

const rewritten = (rewrite: (body: string) => string): Change =>
  editResponse(always, (response) => ({ ...response, body: rewrite(response.body) }))
/** Changes the responses that are a success. */
const successes = (edit: ResponseEdit, when: When = always): Change => on([200, 201], when, edit)
const pets = (edit: ItemEdit, when?: When): Change => successes(items(edit), when)
/** Changes the responses that are an error. */
const errors = (edit: ResponseEdit): Change =>
  editResponse(always, (response) => (response.status < 400 ? response : edit(response)))
const everywhere = (members: Parameters<typeof headers>[0]): Change => editResponse(always, headers(members))

const resets = (edit: Parameters<typeof reset>[0]): Change => editResponse(always, reset(edit))
const limits = ['limit', 'remaining', 'reset']
const noLimits = Object.fromEntries(limits.map((name) => [`x-ratelimit-${name}`, undefined]))
/** Adds the values of the three headers under the names of the IETF draft. */
const withDraftNames: ResponseEdit = (response) =>
  headers(
    Object.fromEntries(limits.map((name) => [`ratelimit-${name}`, response.headers[`x-ratelimit-${name}`]])),
  )(response)

/** Deployments whose bodies have one wrong form, or whose rate-limit headers are wrong. */
export const faultyResponses: readonly Faulty[] = faultyBy({
  'byte-order-mark': {
    shows: { 'writes a byte order mark before its JSON': rewritten((body) => `\ufeff${body}`) },
    nearly: { 'writes white space before its JSON': rewritten((body) => `\r\n ${body}`) },
  },
  'encoded-twice': {
    shows: { 'encodes its JSON twice': rewritten((body) => JSON.stringify(body)) },
    nearly: { 'sends strings in place of its JSON': rewritten(() => JSON.stringify('a list')) },
  },
  wrapped: {
    shows: { 'wraps lists and animals in data': successes(json((data) => ({ data, total: 1n }))) },
    nearly: {
      'has two arrays in place of a list': successes(
        json((data) => ({ data, included: [] })),
        isList,
      ),
    },
  },
  members: {
    shows: {
      'writes category_id': pets(({ categoryId = null, ...item }) => ({ ...item, category_id: categoryId })),
      'writes its ids as strings': pets((item) => ({ ...item, id: String(item.id) })),
    },
    nearly: {
      'writes both names': pets((item) => ({ ...item, category_id: item.categoryId ?? null })),
      'writes words in place of its ids': pets((item) => ({ ...item, id: `pet-${item.id}` })),
    },
  },
  'error-shape': {
    shows: {
      'has errors of a framework': errors((response) =>
        replaced(response, jsonResponse(response.status, { error: 'no' })),
      ),
      'has no bodies of errors': errors((response) => ({ ...response, body: '' })),
    },
    nearly: {
      'has errors with another member': errors(items({ code: 'no', message: 'No.', more: true })),
      'has no text in its errors': errors(items({ code: '', message: '' })),
    },
  },
  'content-type': {
    shows: { 'declares its JSON as text': everywhere({ 'content-type': 'text/plain' }) },
    nearly: { 'declares a charset': everywhere({ 'content-type': 'application/json; charset=utf-8' }) },
  },
  'rounded-integers': {
    shows: {
      'rounds integers': pets((item) => ({ ...item, categoryId: BigInt(Number(item.categoryId)) }), isCreate),
    },
    nearly: {
      'returns another integer': pets(
        (item) => (item.categoryId === 9007199254740993n ? { ...item, categoryId: 7n } : item),
        isCreate,
      ),
    },
  },
  'renamed-limit-headers': {
    shows: {
      'has the rate-limit headers of the IETF draft': editResponse(always, (response) =>
        headers(noLimits)(withDraftNames(response)),
      ),
    },
    nearly: { 'has both kinds of headers': editResponse(always, withDraftNames) },
  },
  'no-limit-headers': {
    shows: { 'has no rate-limit headers on a 401': on(401, always, headers(noLimits)) },
    nearly: { 'has no reset on a 401': on(401, always, headers({ 'x-ratelimit-reset': undefined })) },
  },
  'reset-in-seconds-to-go': {
    shows: { 'writes the reset as the seconds until then': resets((seconds, now) => seconds - now) },
    nearly: { 'writes a time in the past': resets((_, now) => now - 400) },
  },
  'reset-in-milliseconds-to-go': {
    shows: {
      'writes the reset as the milliseconds until then': resets(
        (seconds, now) => (seconds - now + 120) * 1000,
      ),
    },
    nearly: { 'writes a time far ahead': resets((seconds) => seconds + 500_000) },
  },
  'reset-in-milliseconds': {
    shows: { 'writes the reset in milliseconds': resets((seconds) => seconds * 1000) },
    nearly: { 'writes the reset in microseconds': resets((seconds) => seconds * 1_000_000) },
  },
  'reset-with-fraction': {
    shows: { 'writes the reset with a fraction': resets((seconds) => `${seconds}.25`) },
    nearly: { 'writes the reset in words': resets((seconds) => `at ${seconds}`) },
  },
  'reset-as-date': {
    shows: { 'writes the reset as a date': resets((seconds) => new Date(seconds * 1000).toISOString()) },
    nearly: { 'writes a day that no month has': resets(() => '2026-11-31T25:00:00Z') },
  },
})
