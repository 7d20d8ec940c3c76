import type { Exchange, ReceivedResponse, Transcript } from '../transcript.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'

/** One way to falsify a transcript: each mutant differs from it in one place. */
export interface Mutation {
  /** What is done to an answer, as an imperative. */
  readonly does: string
  readonly mutants: (transcript: Transcript) => readonly Transcript[]
}

const statuses = [200, 204, 302, 400, 401, 404, 410, 429, 500]
const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
const stray = { id: 424_242n, name: 'Stray', categoryId: 1n }

/** Every mutation. */
export const mutations: readonly Mutation[] = [
  {
    does: 'change the status',
    mutants: each((response) => statuses.map((status) => ({ ...response, status }))),
  },
  {
    does: 'drop a header',
    mutants: each((response) => names(response).map((name) => headed(response, name))),
  },
  {
    does: 'empty a header',
    mutants: each((response) => names(response).map((name) => headed(response, name, ''))),
  },
  {
    does: 'change the content type',
    mutants: each((response) => [headed(response, 'content-type', 'text/plain')]),
  },
  { does: 'make a limit header 0', mutants: each(limits(() => '0')) },
  { does: 'make a limit header negative', mutants: each(limits((value) => `-${value}`)) },
  { does: 'make a limit header large', mutants: each(limits((value) => `${value}000`)) },
  {
    does: 'freeze what remains',
    mutants: (transcript) => [
      whole(transcript, (response) => headed(response, 'x-ratelimit-remaining', '7')),
    ],
  },
  {
    does: 'date the sunset wrongly',
    mutants: each((response) => [headed(response, 'sunset', 'Sun, 05 Dec 2032 00:00:00 GMT')]),
  },
  {
    does: 'date the deprecation in words',
    mutants: each((response) => [headed(response, 'deprecation', 'soon')]),
  },
  { does: 'drop a field', mutants: each(fields((item, name) => [omit(item, name)])) },
  {
    does: 'rename a field',
    mutants: each(fields((item, name) => [{ ...omit(item, name), [`${name}_`]: item[name] ?? null }])),
  },
  {
    does: 'retype a field',
    mutants: each(fields((item, name) => retyped(item[name]).map((value) => ({ ...item, [name]: value })))),
  },
  {
    does: 'change a text',
    mutants: each(
      fields((item, name) => (typeof item[name] === 'string' ? [{ ...item, [name]: `${item[name]}x` }] : [])),
    ),
  },
  {
    does: 'empty a text',
    mutants: each(fields((item, name) => (typeof item[name] === 'string' ? [{ ...item, [name]: '' }] : []))),
  },
  {
    does: 'change the last digit of an integer',
    mutants: each(fields((item, name) => nudged(item, name, 1n))),
  },
  {
    does: 'push an integer beyond int64',
    mutants: each(fields((item, name) => nudged(item, name, 2n ** 64n))),
  },
  {
    does: 'change the status of an animal',
    mutants: each(fields((item, name) => (name === 'status' ? otherStatuses(item) : []))),
  },
  { does: 'empty a page', mutants: each(pages(() => [])) },
  { does: 'shorten a page', mutants: each(pages((pets) => pets.slice(1))) },
  { does: 'list an animal twice', mutants: each(pages((pets) => [...pets.slice(0, 1), ...pets])) },
  { does: 'add an animal', mutants: each(pages((pets) => [...pets, stray])) },
  { does: 'make a page very long', mutants: each(pages((pets) => [...pets, ...crowd(101)])) },
  { does: 'reverse a page', mutants: each(pages((pets) => [...pets].reverse())) },
  { does: 'wrap the body', mutants: each(json((body) => [{ data: body }])) },
  {
    does: 'cut the body off',
    mutants: each((response) => [{ ...response, body: response.body.slice(0, -2) }]),
  },
  { does: 'lose the body', mutants: each((response) => [{ ...response, body: '' }]) },
  { does: 'spoil the encoding', mutants: each((response) => [{ ...response, utf8: false }]) },
  {
    does: 'move the base address',
    mutants: (transcript) => [{ ...transcript, baseUrl: transcript.baseUrl.replace(/v1$/, 'v2') }],
  },
  { does: 'swap two neighbouring answers', mutants: swapped },
]

/** Falsifies every answer in turn. */
function each(falsify: (response: ReceivedResponse) => readonly ReceivedResponse[]): Mutation['mutants'] {
  return (transcript) =>
    transcript.exchanges.flatMap(({ outcome }, n) =>
      outcome.kind === 'error'
        ? []
        : falsify(outcome.response).map((response) => answered(transcript, n, response)),
    )
}

/** Falsifies all answers at once. */
function whole(
  transcript: Transcript,
  falsify: (response: ReceivedResponse) => ReceivedResponse,
): Transcript {
  return transcript.exchanges.reduce(
    (mutant, { outcome }, n) =>
      outcome.kind === 'error' ? mutant : answered(mutant, n, falsify(outcome.response)),
    transcript,
  )
}

function answered(transcript: Transcript, place: number, response: ReceivedResponse): Transcript {
  const change = (exchange: Exchange, n: number): Exchange =>
    n === place ? { ...exchange, outcome: { kind: 'response', response } } : exchange
  return { ...transcript, exchanges: transcript.exchanges.map(change) }
}

function swapped(transcript: Transcript): readonly Transcript[] {
  const { exchanges } = transcript
  return exchanges.slice(1).map((second, n) => {
    const first = exchanges[n] ?? second
    const pair = [
      { ...first, outcome: second.outcome },
      { ...second, outcome: first.outcome },
    ]
    return { ...transcript, exchanges: exchanges.toSpliced(n, 2, ...pair) }
  })
}

function names({ headers }: ReceivedResponse): readonly string[] {
  return headers.map(([name]) => name)
}

function headed(response: ReceivedResponse, name: string, value?: string): ReceivedResponse {
  const others = response.headers.filter(([other]) => other !== name)
  return { ...response, headers: value === undefined ? others : [...others, [name, value]] }
}

function limits(spell: (value: string) => string) {
  return (response: ReceivedResponse): readonly ReceivedResponse[] =>
    response.headers
      .filter(([name]) => limitHeaders.includes(name))
      .map(([name, value]) => headed(response, name, spell(value)))
}

function json(falsify: (body: Json) => readonly Json[]) {
  return (response: ReceivedResponse): readonly ReceivedResponse[] =>
    response.body === ''
      ? []
      : falsify(readJson(response.body)).map((body) => ({ ...response, body: writeJson(body) }))
}

function pages(falsify: (pets: readonly Json[]) => readonly Json[]) {
  return json((body) => (Array.isArray(body) ? [falsify(body)] : []))
}

/** Falsifies each field of a body that is an object, and of the first and the last animal of a page. */
function fields(falsify: (item: JsonObject, name: string) => readonly JsonObject[]) {
  const inItem = (item: Json | undefined): readonly JsonObject[] =>
    isObject(item) ? Object.keys(item).flatMap((name) => falsify(item, name)) : []
  return json((body) => {
    if (!Array.isArray(body)) return inItem(body)
    const ends = [...new Set([0, body.length - 1])]
    return ends.flatMap((place) => inItem(body[place]).map((item) => body.toSpliced(place, 1, item)))
  })
}

function retyped(value: Json | undefined): readonly Json[] {
  return [null, typeof value === 'string' ? 7n : String(value), true, 1.5]
}

function nudged(item: JsonObject, name: string, by: bigint): readonly JsonObject[] {
  const value = item[name]
  return typeof value === 'bigint' ? [{ ...item, [name]: value + by }] : []
}

function otherStatuses(item: JsonObject): readonly JsonObject[] {
  if (typeof item.status !== 'string') return []
  return ['available', 'pending', 'sold']
    .filter((status) => status !== item.status)
    .map((status) => ({ ...item, status }))
}

function omit(item: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([other]) => other !== name))
}

function crowd(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, n) => ({ ...stray, id: 500_000n + BigInt(n) }))
}
