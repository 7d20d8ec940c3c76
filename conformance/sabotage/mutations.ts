import type { ReceivedResponse } from '../transcript/transcript.ts'
import { edited } from './change.ts'
import {
  each,
  everyResponse,
  type Falsify,
  inBody,
  inHeader,
  inInteger,
  inMembers,
  inPage,
  inString,
  oneOfEach,
  swapNeighbours,
  withHeader,
} from './falsify.ts'
import type { Json, JsonObject } from './json.ts'

/** One way to falsify a transcript. */
export interface Mutation {
  /** What it does to a response, in the imperative. */
  readonly does: string
  readonly mutants: Falsify
}

const limit = 'x-ratelimit-limit'
const remaining = 'x-ratelimit-remaining'
const reset = 'x-ratelimit-reset'
const stray = { id: 424_242n, name: 'Stray', categoryId: 1n }
const hundredAndOne = Array.from({ length: 101 }, (_, n) => ({ ...stray, id: 500_000n + BigInt(n) }))

const otherStatuses = (response: ReceivedResponse): readonly ReceivedResponse[] =>
  [200, 401, 404, 500]
    .filter((status) => status !== response.status)
    .map((status) => ({ ...response, status }))

const otherType = (value: Json | undefined): Json => (typeof value === 'string' ? 7n : String(value))

const otherPetStatuses = (item: JsonObject, name: string): readonly JsonObject[] =>
  name === 'status' && typeof item.status === 'string'
    ? ['available', 'pending', 'sold']
        .filter((status) => status !== item.status)
        .map((status) => ({ ...item, status }))
    : []

/** Every mutation. */
export const mutations: readonly Mutation[] = [
  { does: 'change the status', mutants: each(otherStatuses) },
  {
    does: 'drop a header',
    mutants: oneOfEach((response) => response.headers.map(([name]) => withHeader(response, name))),
  },
  {
    does: 'change the content type',
    mutants: oneOfEach(inHeader('content-type', () => 'text/plain')),
  },
  { does: 'make the limit 0', mutants: oneOfEach(inHeader(limit, () => '0')) },
  { does: 'make the limit a word', mutants: oneOfEach(inHeader(limit, () => 'none')) },
  {
    does: 'make the remaining requests exceed the limit',
    mutants: oneOfEach(inHeader(remaining, (value) => `${value}000`)),
  },
  {
    does: 'freeze the remaining requests',
    mutants: everyResponse((response) => withHeader(response, remaining, '7')),
  },
  { does: 'make the reset a number of seconds', mutants: oneOfEach(inHeader(reset, () => '55')) },
  {
    does: 'make Retry-After milliseconds',
    mutants: oneOfEach(inHeader('retry-after', (value) => `${value}000`)),
  },
  { does: 'make Retry-After a word', mutants: oneOfEach(inHeader('retry-after', () => 'soon')) },
  {
    does: 'postpone the Sunset date',
    mutants: oneOfEach(inHeader('sunset', (value) => value.replace('2030', '2032'))),
  },
  { does: 'make Deprecation a word', mutants: oneOfEach(inHeader('deprecation', () => 'true')) },
  {
    does: 'rename a field',
    mutants: oneOfEach(
      inMembers((item, name) => [edited(item, { [name]: undefined, [`${name}_`]: item[name] })]),
    ),
  },
  {
    does: 'retype a field',
    mutants: oneOfEach(inMembers((item, name) => [{ ...item, [name]: otherType(item[name]) }])),
  },
  { does: 'make a field null', mutants: oneOfEach(inMembers((item, name) => [{ ...item, [name]: null }])) },
  { does: 'change a string', mutants: oneOfEach(inMembers(inString((text) => `${text}x`))) },
  { does: 'empty a string', mutants: oneOfEach(inMembers(inString(() => ''))) },
  {
    does: 'change the last digit of an integer',
    mutants: oneOfEach(inMembers(inInteger((value) => value ^ 1n))),
  },
  {
    does: 'push an integer beyond int64',
    mutants: oneOfEach(inMembers(inInteger((value) => value + 2n ** 64n))),
  },
  { does: 'change the status of an animal', mutants: oneOfEach(inMembers(otherPetStatuses)) },
  { does: 'empty a page', mutants: oneOfEach(inPage(() => [])) },
  { does: 'remove the first animal of a page', mutants: oneOfEach(inPage((pets) => pets.slice(1))) },
  { does: 'list an animal twice', mutants: oneOfEach(inPage((pets) => [...pets.slice(0, 1), ...pets])) },
  { does: 'add an animal to a page', mutants: oneOfEach(inPage((pets) => [...pets, stray])) },
  {
    does: 'add a hundred animals to a page',
    mutants: oneOfEach(inPage((pets) => [...pets, ...hundredAndOne])),
  },
  { does: 'reverse a page', mutants: oneOfEach(inPage((pets) => [...pets].reverse())) },
  { does: 'wrap the body', mutants: oneOfEach(inBody((body) => [{ data: body }])) },
  {
    does: 'truncate the body',
    mutants: oneOfEach((response) => [{ ...response, body: response.body.slice(0, -2) }]),
  },
  { does: 'break the encoding', mutants: oneOfEach((response) => [{ ...response, utf8: false }]) },
  {
    does: 'move the base address',
    mutants: (transcript) => [{ ...transcript, baseUrl: transcript.baseUrl.replace('/v1', '/v2') }],
  },
  { does: 'swap two consecutive responses', mutants: swapNeighbours },
]
