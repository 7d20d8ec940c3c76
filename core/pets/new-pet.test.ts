import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../http/errors.ts'
import { int64Max, int64Min } from '../testing/numbers.ts'
import { parseNewPet } from './new-pet.ts'
import { type PetStatus, petStatuses } from './pet.ts'

const toBytes = (text: string) => new TextEncoder().encode(text)
const readText = (text: string) => parseNewPet(toBytes(text))

const validBodies: readonly (readonly [
  body: string,
  name: string,
  categoryId: bigint,
  status?: PetStatus,
])[] = [
  ...petStatuses.map((one) => [`{"name":"","categoryId":0,"status":"${one}"}`, '', 0n, one] as const),
  ['{"status":"sold","categoryId":-9223372036854775808,"name":"\\ud83d\\udc08"}', '🐈', int64Min, 'sold'],
  ['{ "name" : " R\\"x\\u2028", "categoryId" : 9223372036854775807 }', ' R"x\u2028', int64Max],
  ['{"name":"Rex","categoryId":1.0}', 'Rex', 1n],
  ['{"name":"Rex","categoryId":1e3}', 'Rex', 1000n],
  ['{"name":"Rex","categoryId":1,"categoryId":9007199254740993}', 'Rex', 9007199254740993n],
  ['{"name":5,"name":"Rex","categoryId":true,"categoryId":2}', 'Rex', 2n],
  ['{"id":99,"age":null,"name":"Rex","categoryId":1,"x":{"name":7}}', 'Rex', 1n],
  ['{"\\u006eame":"R\\u0065x","category\\u0049d":9007199254740993}', 'Rex', 9007199254740993n],
]

const withName = (name: string) => `{"name":${name},"categoryId":1}`
const inCategory = (category: string) => `{"name":"Rex","categoryId":${category}}`
const withStatus = (status: string) => `{"name":"Rex","categoryId":1,"status":${status}}`

const categories = ['"1"', 'true', '4503599627370497.5', '1.00000000000000000001', '9223372036854775808']
/** Invalid bodies, grouped by the members that their errors name. */
const invalidBodies: Readonly<Record<string, readonly string[]>> = {
  'name,categoryId': [
    ...['{}', '{"__proto__":{"name":"Rex","categoryId":1}}', '{"Name":"Rex","categoryid":1}'],
  ],
  name: ['{"categoryId":1}', ...['5', '"a\\u0000b"', '"\\ud83d"', '"\\udc08\\ud83d"'].map(withName)],
  categoryId: ['{"name":"Rex"}', ...[...categories, '7,"categoryId":"7"'].map(inCategory)],
  status: ['"lost"', '"Sold"', '["sold"]'].map(withStatus),
  'name,categoryId,status': [
    ...['{"name":null,"categoryId":null,"status":null}', '{"name":1,"categoryId":"x","status":2}'],
  ],
}

describe('parseNewPet', () => {
  for (const [body, name, categoryId, status] of validBodies)
    it(`parses ${body}`, () =>
      assert.deepEqual(readText(body), { name, categoryId, ...(status && { status }) }))

  for (const [members, bodies] of Object.entries(invalidBodies))
    for (const body of bodies)
      it(`names ${members} in the error for ${body}`, () => {
        const error = readText(body)
        assert.ok(error instanceof ApiError && error.code === 'invalid_pet')
        const namedMembers = [...error.message.matchAll(/"(\w+)"/g)].map(([, name]) => name)
        assert.equal(namedMembers.join(), members)
      })

  it('rejects text that is not JSON, and JSON that is not an object', () => {
    for (const body of ['null', 'true', '5', '"Rex"', '[]', '[{"name":"Rex","categoryId":1}]']) {
      const error = readText(body)
      assert.match(error instanceof ApiError ? error.message : '', /must be an object with "name"/, body)
    }
    const error = readText('{"name":"Rex","categoryId":1')
    assert.equal(error instanceof ApiError && error.code, 'invalid_json')
  })
})

const limits = [
  ['x'.repeat(1_000), undefined, true],
  ['x'.repeat(1_001), undefined, false],
  ['🐈'.repeat(1_000), undefined, true],
  [`${'🐈'.repeat(1_000)}x`, undefined, false],
  ['x'.repeat(60_000), null, true],
  ['🐈🐈', 2, true],
  ['🐈xx', 2, false],
] as const
describe("an animal's name", () => {
  for (const [name, maxNameLength, isValid] of limits) {
    const verdict = isValid ? 'valid' : 'invalid'
    it(`is ${verdict} with ${[...name].length} characters and maxNameLength ${maxNameLength}`, () => {
      const pet = parseNewPet(toBytes(JSON.stringify({ name, categoryId: 1 })), maxNameLength)
      if (isValid) assert.deepEqual(pet, { name, categoryId: 1n })
      else assert.match(String(Object(pet).message), /: "name" must be at most (?:2|1000) characters\.$/)
    })
  }
})
