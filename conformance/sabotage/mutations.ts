import type { ReceivedResponse } from '../transcript/transcript.ts'
import { edited } from './change.ts'
import {
  each,
  everyResponse,
  type Falsify,
  inBody,
  inExchange,
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

/** Every way to falsify a transcript, by what it does to a response, in the imperative. */
export const mutations: Readonly<Record<string, Falsify>> = {
  'change the status': each(otherStatuses),
  'drop a header': oneOfEach((response) => response.headers.map(([name]) => withHeader(response, name))),
  'change the content type': oneOfEach(inHeader('content-type', () => 'text/plain')),
  'make the limit 0': oneOfEach(inHeader(limit, () => '0')),
  'make the limit a policy': oneOfEach(inHeader(limit, (value) => `${value}, ${value};w=60`)),
  'make the remaining requests exceed the limit': oneOfEach(inHeader(remaining, (value) => `${value}000`)),
  'freeze the remaining requests': everyResponse((response) => withHeader(response, remaining, '7')),
  'make the reset a number of seconds': oneOfEach(inHeader(reset, () => '55')),
  'make Retry-After milliseconds': oneOfEach(inHeader('retry-after', (value) => `${value}000`)),
  'make Retry-After a word': oneOfEach(inHeader('retry-after', () => 'soon')),
  'postpone the Sunset date': oneOfEach(inHeader('sunset', (value) => value.replace('2030', '2032'))),
  'make Deprecation a word': oneOfEach(inHeader('deprecation', () => 'true')),
  'rename a field': inMembers((item, name) => [
    edited(item, { [name]: undefined, [`${name}_`]: item[name] }),
  ]),
  'retype a field': inMembers((item, name) => [{ ...item, [name]: otherType(item[name]) }]),
  'make a field null': inMembers((item, name) => [{ ...item, [name]: null }]),
  'change a string': inMembers(inString((text) => `${text}x`)),
  'empty a string': inMembers(inString(() => '')),
  'change the last digit of an integer': inMembers(inInteger((value) => value ^ 1n)),
  'push an integer beyond int64': inMembers(inInteger((value) => value + 2n ** 64n)),
  'change the status of an animal': inMembers(otherPetStatuses),
  'empty a page': inPage(() => []),
  'remove the first animal of a page': inPage((pets) => pets.slice(1)),
  'list an animal twice': inPage((pets) => [...pets.slice(0, 1), ...pets]),
  'add an animal to a page': inPage((pets) => [...pets, stray]),
  'add a hundred animals to a page': inPage((pets) => [...pets, ...hundredAndOne]),
  'reverse a page': inPage((pets) => pets.toReversed()),
  'wrap the body': inBody((body) => [{ data: body }]),
  'truncate the body': oneOfEach((response) => [{ ...response, body: response.body.slice(0, -2) }]),
  'break the encoding': oneOfEach((response) => [{ ...response, utf8: false }]),
  'move the base URL': (transcript) => [{ ...transcript, baseUrl: transcript.baseUrl.replace('/v1', '/v2') }],
  'leave a body on the connection': inExchange({ continues: true, remains: '501' }),
  'swap two consecutive responses': swapNeighbours,
}
