import type { Exchange, ReceivedResponse, Transcript } from '../transcript.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'

/** One way to falsify a transcript: each mutant differs from it in one place. */
export interface Mutation {
  /** What is done to an answer, as an imperative. */
  readonly does: string
  readonly mutants: (transcript: Transcript) => readonly Transcript[]
}

const statuses = [200, 401, 404, 500]
const limit = 'x-ratelimit-limit'
const remaining = 'x-ratelimit-remaining'
const reset = 'x-ratelimit-reset'
const stray = { id: 424_242n, name: 'Stray', categoryId: 1n }

/** Every mutation. */
export const mutations: readonly Mutation[] = [
  { does: 'change the status', mutants: each((response) => otherStatuses(response)) },
  {
    does: 'drop a header',
    mutants: oneOfEach((response) => names(response).map((name) => headed(response, name))),
  },
  {
    does: 'change the content type',
    mutants: oneOfEach((response) => [headed(response, 'content-type', 'text/plain')]),
  },
  { does: 'make the limit 0', mutants: oneOfEach(reheaded(limit, () => '0')) },
  { does: 'make the limit a word', mutants: oneOfEach(reheaded(limit, () => 'none')) },
  { does: 'make what remains large', mutants: oneOfEach(reheaded(remaining, (value) => `${value}000`)) },
  { does: 'freeze what remains', mutants: (transcript) => [frozen(transcript)] },
  { does: 'make the reset a span', mutants: oneOfEach(reheaded(reset, () => '55')) },
  { does: 'make the wait a word', mutants: oneOfEach(reheaded('retry-after', () => 'soon')) },
  {
    does: 'postpone the sunset',
    mutants: oneOfEach(reheaded('sunset', (value) => value.replace('2030', '2032'))),
  },
  { does: 'put the deprecation in a word', mutants: oneOfEach(reheaded('deprecation', () => 'true')) },
  {
    does: 'rename a field',
    mutants: oneOfEach(fields((item, name) => [{ ...omit(item, name), [`${name}_`]: item[name] ?? null }])),
  },
  {
    does: 'retype a field',
    mutants: oneOfEach(fields((item, name) => [{ ...item, [name]: retyped(item[name]) }])),
  },
  { does: 'make a field null', mutants: oneOfEach(fields((item, name) => [{ ...item, [name]: null }])) },
  { does: 'change a text', mutants: oneOfEach(fields(inText((text) => `${text}x`))) },
  { does: 'empty a text', mutants: oneOfEach(fields(inText(() => ''))) },
  {
    does: 'change the last digit of an integer',
    mutants: oneOfEach(fields(inInteger((value) => value ^ 1n))),
  },
  {
    does: 'push an integer beyond int64',
    mutants: oneOfEach(fields(inInteger((value) => value + 2n ** 64n))),
  },
  { does: 'change the status of an animal', mutants: oneOfEach(fields(inStatus)) },
  { does: 'empty a page', mutants: oneOfEach(pages(() => [])) },
  { does: 'take the first animal off a page', mutants: oneOfEach(pages((pets) => pets.slice(1))) },
  { does: 'list an animal twice', mutants: oneOfEach(pages((pets) => [...pets.slice(0, 1), ...pets])) },
  { does: 'add an animal to a page', mutants: oneOfEach(pages((pets) => [...pets, stray])) },
  { does: 'add a hundred animals to a page', mutants: oneOfEach(pages((pets) => [...pets, ...crowd(101)])) },
  { does: 'reverse a page', mutants: oneOfEach(pages((pets) => [...pets].reverse())) },
  { does: 'wrap the body', mutants: oneOfEach(json((body) => [{ data: body }])) },
  {
    does: 'cut the body off',
    mutants: oneOfEach((response) => [{ ...response, body: response.body.slice(0, -2) }]),
  },
  { does: 'spoil the encoding', mutants: oneOfEach((response) => [{ ...response, utf8: false }]) },
  {
    does: 'move the base address',
    mutants: (transcript) => [{ ...transcript, baseUrl: `${transcript.baseUrl}/api` }],
  },
  { does: 'swap two neighbouring answers', mutants: swapped },
]

type Falsify = (response: ReceivedResponse) => readonly ReceivedResponse[]

/** Falsifies every answer in turn, or those that are chosen. */
function each(
  falsify: Falsify,
  isChosen: (exchange: Exchange, place: number, all: readonly Exchange[]) => boolean = () => true,
): Mutation['mutants'] {
  return (transcript) =>
    transcript.exchanges.flatMap((exchange, place, all) =>
      exchange.outcome.kind === 'response' && isChosen(exchange, place, all)
        ? falsify(exchange.outcome.response).map((response) => answered(transcript, place, response))
        : [],
    )
}

/** Falsifies one answer of each kind: most refusals of a run differ in nothing but what was refused. */
function oneOfEach(falsify: Falsify): Mutation['mutants'] {
  return each(falsify, (exchange, place, all) =>
    all.slice(0, place).every((earlier) => kindOf(earlier) !== kindOf(exchange)),
  )
}

function kindOf({ id, credential, request: { method }, outcome }: Exchange): string {
  const status = outcome.kind === 'response' ? outcome.response.status : 0
  return status >= 400 ? `${method} ${credential} ${status}` : id.replace(/^burn-\d+$/, 'burn')
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

function otherStatuses(response: ReceivedResponse): readonly ReceivedResponse[] {
  return statuses.filter((status) => status !== response.status).map((status) => ({ ...response, status }))
}

function names({ headers }: ReceivedResponse): readonly string[] {
  return headers.map(([name]) => name)
}

function headed(response: ReceivedResponse, name: string, value?: string): ReceivedResponse {
  const others = response.headers.filter(([other]) => other !== name)
  return { ...response, headers: value === undefined ? others : [...others, [name, value]] }
}

/** Writes another value into a header where there is one. */
function reheaded(name: string, spell: (value: string) => string) {
  return (response: ReceivedResponse): readonly ReceivedResponse[] =>
    response.headers
      .filter(([other]) => other === name)
      .map(([, value]) => headed(response, name, spell(value)))
}

/** The same number remains in every answer. */
function frozen(transcript: Transcript): Transcript {
  const freeze = ({ outcome, ...exchange }: Exchange): Exchange =>
    outcome.kind === 'error'
      ? { ...exchange, outcome }
      : { ...exchange, outcome: { ...outcome, response: headed(outcome.response, remaining, '7') } }
  return { ...transcript, exchanges: transcript.exchanges.map(freeze) }
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

/** Falsifies each field of a body that is an object, and of the first animal of a page. */
function fields(falsify: (item: JsonObject, name: string) => readonly JsonObject[]) {
  return json((body) => {
    const item = Array.isArray(body) ? body[0] : body
    const mutants = isObject(item) ? Object.keys(item).flatMap((name) => falsify(item, name)) : []
    return Array.isArray(body) ? mutants.map((mutant) => body.toSpliced(0, 1, mutant)) : mutants
  })
}

function retyped(value: Json | undefined): Json {
  return typeof value === 'string' ? 7n : String(value)
}

function inText(change: (text: string) => string) {
  return (item: JsonObject, name: string): readonly JsonObject[] => {
    const text = item[name]
    return typeof text === 'string' ? [{ ...item, [name]: change(text) }] : []
  }
}

function inInteger(change: (value: bigint) => bigint) {
  return (item: JsonObject, name: string): readonly JsonObject[] => {
    const value = item[name]
    return typeof value === 'bigint' ? [{ ...item, [name]: change(value) }] : []
  }
}

function inStatus(item: JsonObject, name: string): readonly JsonObject[] {
  if (name !== 'status' || typeof item.status !== 'string') return []
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
