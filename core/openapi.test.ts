import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createMemoryStore, errors, type OperationId, operations, type ServiceOptions } from './index.ts'
import { type JsonObject, openapi } from './openapi.ts'
import { keyed, serve } from './testing/serve.ts'
import { fail, serviceRequest } from './testing/service-request.ts'
import { stubStore } from './testing/stub-store.ts'

/** Returns a part of the description by the names that lead to it; `{}` if nothing is there. */
function at(part: JsonObject, ...path: readonly (string | number)[]): JsonObject {
  return path.reduce((found, name) => (found[name] ?? {}) as JsonObject, part) // all of it is JSON
}

/** Returns an operation of the description. */
function findOperation(id: OperationId, options?: Partial<ServiceOptions>): JsonObject {
  const { path, method } = operations.find((operation) => operation.id === id) ?? assert.fail(id)
  return at(openapi(options), 'paths', path, method.toLowerCase())
}

const listResponses = (operation: JsonObject) => Object.entries(at(operation, 'responses'))
const listExamples = (response: unknown) =>
  at(response as JsonObject, 'content', 'application/json', 'examples')
/** The codes of the Errors that an operation documents. */
const listCodes = (operation: JsonObject) =>
  listResponses(operation).flatMap(([, response]) => Object.keys(listExamples(response)))
const listParameters = (operation: JsonObject) => Object.values(at(operation, 'parameters')) as JsonObject[]

describe('the OpenAPI description', () => {
  it('has every operation of the table, and no other', () => {
    const methods = Object.values(at(openapi(), 'paths')).flatMap((path) => Object.keys(path as object))
    assert.equal(methods.length, operations.length)
    for (const { id } of operations) assert.equal(findOperation(id).operationId, id)
  })

  it('is JSON whose references all resolve', () => {
    const document = openapi({ stability: { listPets: 'beta' } })
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    assert.ok(references.length > 0)
    for (const [, pointer = ''] of references)
      assert.notDeepEqual(at(document, ...pointer.split('/')), {}, pointer)
  })

  it('shows every error under its status', () => {
    const all = Object.entries(errors).map(([code, { status, message }]) => ({ code, message, status }))
    assert.deepEqual(at(openapi(), 'components', 'schemas', 'Error').examples, all)
    const documented = new Set<string>()
    for (const { id } of operations)
      for (const [status, response] of listResponses(findOperation(id)))
        for (const [code, example] of Object.entries(listExamples(response))) {
          assert.deepEqual(example, { value: all.find((error) => error.code === code) })
          assert.equal(at(example as JsonObject, 'value').status, Number(status))
          documented.add(code)
        }
    const missing = Object.keys(errors).filter((code) => !documented.has(code))
    assert.deepEqual(missing, ['route_not_found', 'method_not_allowed'])
  })

  it('requires only the headers that the interface requires', () => {
    const document = openapi()
    for (const { id } of operations)
      for (const [status, response] of listResponses(findOperation(id))) {
        const headers = Object.entries(at(response as JsonObject, 'headers')) as [string, JsonObject][]
        const required = headers.filter(([, { $ref, required }]) =>
          typeof $ref === 'string' ? at(document, ...$ref.slice(2).split('/')).required : required,
        )
        const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
        const expected = status === '429' ? [...limits, 'Retry-After'] : limits
        assert.deepEqual(
          required.map(([name]) => name),
          expected,
          `${id} ${status}`,
        )
      }
  })

  it('requires a bearer token, and leaves codes open', () => {
    const document = openapi()
    const code = at(document, 'components', 'schemas', 'Error', 'properties', 'code')
    assert.deepEqual([code.type, code.enum], ['string', undefined])
    assert.deepEqual(document.security, [{ bearerAuth: [] }])
    assert.equal(at(document, 'components', 'securitySchemes', 'bearerAuth').scheme, 'bearer')
    for (const name of ['license', 'contact']) assert.ok(at(document, 'info', name).name)
  })

  it('marks getPet as deprecated, with its headers', () => {
    const getPet = findOperation('getPet', { deprecatedSince: 1_800_000_000 })
    assert.deepEqual([getPet.deprecated, getPet['x-sunset']], [true, '2030-12-05'])
    for (const [, response] of listResponses(getPet)) {
      const names = Object.keys(at(response as JsonObject, 'headers'))
      assert.deepEqual(names.slice(-3), ['Deprecation', 'Sunset', 'Link'])
    }
    assert.match(JSON.stringify(getPet), /"example":"@1800000000"/)
    assert.equal(findOperation('listPets').deprecated, undefined)
    assert.ok(!listCodes(findOperation('getPet', { removal: 'manual' })).includes('operation_removed'))
  })

  it('shows the options of the service', () => {
    const pathsOf = ['paths', '/pets', 'post']
    const nameOf = ['components', 'schemas', 'NewPet', 'properties', 'name']
    for (const [options, path, member, expected] of [
      [{}, ['servers', 0], 'url', /^\/v1$/],
      [{ basePath: undefined }, ['servers', 0], 'url', /^\/v1$/],
      [{ basePath: '/animals/v1' }, ['servers', 0], 'url', /^\/animals\/v1$/],
      [{ basePath: '' }, ['servers', 0], 'url', /^\/$/],
      [{ stability: { createPet: 'beta' } }, pathsOf, 'x-stability', /^beta$/],
      [{ stability: { listPets: 'beta' } }, pathsOf, 'x-stability', undefined],
      [{}, pathsOf, 'description', /available/],
      [{ defaultStatus: 'pending' }, pathsOf, 'description', /pending/],
      [{ defaultStatus: null }, pathsOf, 'description', /none/],
      [{ maxBodyBytes: 1234 }, pathsOf, 'description', /1234 bytes/],
      [{}, nameOf, 'maxLength', /^1000$/],
      [{ maxNameLength: 5 }, nameOf, 'maxLength', /^5$/],
      [{ maxNameLength: null }, nameOf, 'maxLength', undefined],
    ] as const) {
      const shown = at(openapi(options as object), ...path)[member]
      if (expected) assert.match(String(shown), expected)
      else assert.equal(shown, undefined)
    }
    const getPet = JSON.stringify(findOperation('getPet', { basePath: '/animals/v1' }))
    assert.match(getPet, /"<\/animals\/v1\/pets>; rel=\\"successor-version\\""/)
  })

  it('has Idempotency-Key if the service accepts it', () => {
    for (const options of [{}, { idempotency: { keepMs: 1 } }, { store: createMemoryStore() }])
      assert.equal(listParameters(findOperation('createPet', options))[0]?.name, 'Idempotency-Key')
    for (const options of [{ idempotency: false as const }, { store: stubStore() }])
      assert.doesNotMatch(JSON.stringify(openapi(options)), /idempoten|"409"|"422"/i)
    assert.ok(at(findOperation('createPet'), 'responses', 409, 'headers')['Retry-After'])
    const [parameter = {}] = listParameters(findOperation('createPet'))
    const pattern = new RegExp(String(at(parameter, 'schema').pattern), 'u') // as JSON Schema reads it
    for (const valid of ['k', '"k"', "!#'(),/:;<=>?@[]{|}~", '!'.repeat(255), `"${'~'.repeat(255)}"`])
      assert.match(valid, pattern)
    for (const invalid of ['', '""', '"k', 'a b', 'a\\b', 'é', '!'.repeat(256)])
      assert.doesNotMatch(invalid, pattern)
  })

  it('says that an int64 is not a double', () => {
    const count = (text: string) => JSON.stringify(openapi()).split(text).length - 1
    assert.ok(count('"format":"int64"') >= 4)
    assert.equal(count('may exceed 2^53'), count('"format":"int64"'))
  })

  const decision = { allowed: false, banned: false, limit: 60, remaining: 0, reset: 1, waitMs: 1 }
  const spent = { consume: () => decision, peek: () => decision }
  const mia = '{"name":"Mia","categoryId":3}'
  const once = { headers: { ...keyed, 'idempotency-key': 'k' }, body: mia }
  const finding = (outcome: 'replayed' | 'reused') => ({
    store: stubStore({ createOnce: () => ({ outcome, id: 1n }), findCreated: () => undefined }),
  })
  const typed = { headers: { ...keyed, 'content-type': 'text/plain' } }

  const sent: readonly (readonly [
    operation: OperationId,
    title: string,
    request?: { target?: string; headers?: Record<string, string>; body?: string },
    options?: Partial<ServiceOptions>,
  ])[] = [
    ['listPets', 'a page'],
    ['listPets', 'a page with more behind it', { target: '/v1/pets?limit=1' }],
    ['listPets', 'a wrong parameter', { target: '/v1/pets?limit=0' }],
    ['listPets', 'no key', { headers: {} }],
    ['listPets', 'a limit that is reached', {}, { limiter: spent }],
    ['listPets', 'a defect', {}, { store: stubStore({ list: () => fail('a defect') }) }],
    ['listPets', 'an unknown expectation', { headers: { expect: 'a miracle' } }],
    ['createPet', 'a new animal', { body: mia }],
    ['createPet', 'no JSON', { body: '{' }],
    ['createPet', 'no NewPet', { body: '{}' }],
    ['createPet', 'a long body', { body: mia }, { maxBodyBytes: 3 }],
    ['createPet', 'a body of another type', typed],
    ['createPet', 'an animal for a key that is sent again', once, finding('replayed')],
    ['createPet', 'a key that is sent with another animal', once, finding('reused')],
    ['createPet', 'a key that is no key', { headers: { ...keyed, 'idempotency-key': '' } }],
    ['getPet', 'an animal', { target: '/v1/pets/1' }],
    ['getPet', 'an animal that is not there', { target: '/v1/pets/404' }],
    ['getPet', 'its removal', { target: '/v1/pets/1' }, { clock: () => Date.UTC(2031, 0) }],
  ]

  const ajv = new Ajv2020({ strict: false, formats: { int64: true } })

  for (const [id, title, request, options] of sent)
    it(`documents the response of ${id} to ${title}`, async () => {
      const store = createMemoryStore()
      for (const name of ['Mia', 'Ada']) store.create({ name, categoryId: 3n })
      const { service } = serve({ store, ...options })
      const method = id === 'createPet' ? 'POST' : 'GET'
      const response = await service.handle(serviceRequest({ method, headers: keyed, ...request }))

      const documented = at(findOperation(id), 'responses', response.status)
      const { schema } = at(documented, 'content', 'application/json')
      const { components } = openapi()
      const body = JSON.parse(response.body ?? '')
      assert.ok(ajv.validate({ ...(schema as JsonObject), components }, body), ajv.errorsText())
      const headers = at(documented, 'headers')
      const names = response.rawHeaders.filter((_, i) => i % 2 === 0)
      for (const name of names) assert.ok(name === 'Content-Type' || name in headers, name)
      for (const name of Object.keys(at(openapi(), 'components', 'headers')))
        assert.equal(name in headers, names.includes(name), name)
      if (response.status >= 400) assert.ok(listCodes(findOperation(id)).includes(body.code))
    })
})
