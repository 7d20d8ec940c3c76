import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../http/errors.ts'
import { holds } from '../testing/holds.ts'
import { int64Max, int64Min } from '../testing/int64.ts'
import { parseNewPet } from './new-pet.ts'
import { type NewPet, petStatuses } from './pet.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => parseNewPet(bytesOf(text))

const valid: readonly (readonly [body: string, pet: NewPet])[] = [
  ['{"name":"Rex","categoryId":1}', { name: 'Rex', categoryId: 1n }],
  ['{"name":"Rex","categoryId":1,"status":"sold"}', { name: 'Rex', categoryId: 1n, status: 'sold' }],
  ['{"name":"","categoryId":0}', { name: '', categoryId: 0n }],
  ['{"name":"Rex","categoryId":1.0}', { name: 'Rex', categoryId: 1n }],
  ['{"name":"Rex","categoryId":1e3}', { name: 'Rex', categoryId: 1000n }],
  ['{"name":"Rex","categoryId":9007199254740993}', { name: 'Rex', categoryId: 9007199254740993n }],
  ['{"name":"Rex","categoryId":-9223372036854775808}', { name: 'Rex', categoryId: int64Min }],
  [
    '{"name":"Rex","categoryId":1,"categoryId":9007199254740993}',
    { name: 'Rex', categoryId: 9007199254740993n },
  ],
  ['{"name":5,"name":"Rex","categoryId":true,"categoryId":2}', { name: 'Rex', categoryId: 2n }],
  ['{"id":99,"age":null,"name":"Rex","categoryId":1,"x":{"name":7}}', { name: 'Rex', categoryId: 1n }],
  [
    '{"\\u006eame":"R\\u0065x","category\\u0049d":9007199254740993}',
    { name: 'Rex', categoryId: 9007199254740993n },
  ],
  ['{"name":"\\ud83d\\udc08 Кот 猫","categoryId":1}', { name: '🐈 Кот 猫', categoryId: 1n }],
]

const invalid: readonly (readonly [body: string, named: readonly string[]])[] = [
  ['{}', ['name', 'categoryId']],
  ['{"name":"Rex"}', ['categoryId']],
  ['{"categoryId":1}', ['name']],
  ['{"name":null,"categoryId":null,"status":null}', ['name', 'categoryId', 'status']],
  ['{"name":5,"categoryId":1}', ['name']],
  ['{"name":"a\\u0000b","categoryId":1}', ['name']],
  ['{"name":"\\ud83d","categoryId":1}', ['name']],
  ['{"name":"\\udc08\\ud83d","categoryId":1}', ['name']],
  ['{"name":"Rex","categoryId":"1"}', ['categoryId']],
  ['{"name":"Rex","categoryId":true}', ['categoryId']],
  ['{"name":"Rex","categoryId":4503599627370497.5}', ['categoryId']],
  ['{"name":"Rex","categoryId":1.00000000000000000001}', ['categoryId']],
  ['{"name":"Rex","categoryId":9223372036854775808}', ['categoryId']],
  ['{"name":"Rex","categoryId":7,"categoryId":"7"}', ['categoryId']],
  ['{"name":"Rex","categoryId":1,"status":"lost"}', ['status']],
  ['{"name":"Rex","categoryId":1,"status":"Sold"}', ['status']],
  ['{"name":"Rex","categoryId":1,"status":["sold"]}', ['status']],
  ['{"name":1,"categoryId":"x","status":2}', ['name', 'categoryId', 'status']],
  ['{"__proto__":{"name":"Rex","categoryId":1}}', ['name', 'categoryId']],
  ['{"Name":"Rex","categoryid":1}', ['name', 'categoryId']],
]

describe('a body of createPet', () => {
  for (const [body, pet] of valid) {
    it(`${body} is a NewPet`, () => assert.deepEqual(read(body), pet))
  }

  for (const [body, named] of invalid) {
    it(`${body} is no NewPet, and the message names ${named.join(', ')}`, () => {
      const error = read(body)
      assert.ok(error instanceof ApiError)
      assert.equal(error.code, 'invalid_pet')
      assert.deepEqual(
        [...error.message.matchAll(/"(\w+)"/g)].map(([, name]) => name),
        named,
      )
    })
  }

  for (const body of ['null', 'true', '5', '"Rex"', '[]', '[{"name":"Rex","categoryId":1}]']) {
    it(`${body} is no object`, () => {
      const error = read(body)
      assert.ok(error instanceof ApiError)
      assert.match(error.message, /must be an object with "name" and "categoryId"/)
    })
  }

  const names: readonly (readonly [name: string, most: number | null | undefined, isValid: boolean])[] = [
    ['x'.repeat(1_000), undefined, true],
    ['x'.repeat(1_001), undefined, false],
    ['🐈'.repeat(1_000), undefined, true],
    [`${'🐈'.repeat(1_000)}x`, undefined, false],
    ['🐈'.repeat(1_001), undefined, false],
    ['x'.repeat(60_000), null, true],
    ['🐈🐈', 2, true],
    ['🐈xx', 2, false],
  ]
  for (const [name, most, isValid] of names) {
    const bound =
      most === undefined ? 'by default' : most === null ? 'without a bound' : `with a bound of ${most}`
    it(`is ${isValid ? 'valid' : 'invalid'} with a name of ${[...name].length} characters ${bound}`, () => {
      const pet = parseNewPet(bytesOf(JSON.stringify({ name, categoryId: 1 })), most)
      if (isValid) assert.deepEqual(pet, { name, categoryId: 1n })
      else
        assert.equal(
          pet instanceof ApiError && pet.message,
          `The body is not a valid NewPet: "name" must be at most ${most ?? 1_000} characters.`,
        )
    })
  }

  it('a body that is not JSON is reported as such', () => {
    const error = read('{"name":"Rex","categoryId":1')
    assert.equal(error instanceof ApiError && error.code, 'invalid_json')
  })

  it('a NewPet has exactly the values of its text', () => {
    const pet = fc.record(
      {
        name: fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        categoryId: fc.bigInt({ min: int64Min, max: int64Max }),
        status: fc.constantFrom(...petStatuses),
      },
      { requiredKeys: ['name', 'categoryId'], noNullPrototype: true },
    )
    holds(
      fc.property(pet, (expected) => {
        const { name, categoryId, status } = expected
        const state = status ? `,"status":"${status}"` : ''
        assert.deepEqual(
          read(`{"name":${JSON.stringify(name)},"categoryId":${categoryId}${state}}`),
          expected,
        )
      }),
    )
  })
})
