import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createMemoryStore, errors, type OperationId, operations, type ServiceOptions } from './index.ts'
import { type JsonObject, openapi } from './openapi.ts'
import { keyHeaders, serve } from './testing/serve.ts'
import { createServiceRequest, throwError } from './testing/service-request.ts'
import { createStubStore } from './testing/stub-store.ts'

/** Returns the part at a path, or `{}` if it does not exist. */
function getPart(part: JsonObject, ...path: readonly (string | number)[]): JsonObject {
  return path.reduce((found, name) => (found[name] ?? {}) as JsonObject, part) // `??` replaces a missing part
}

function findOperation(id: OperationId, options?: Partial<ServiceOptions>): JsonObject {
  const { path, method } = operations.find((operation) => operation.id === id) ?? assert.fail(id)
  return getPart(openapi(options), 'paths', path, method.toLowerCase())
}

const listResponses = (operation: JsonObject) => Object.entries(getPart(operation, 'responses'))
const listExamples = (response: unknown) =>
  getPart(response as JsonObject, 'content', 'application/json', 'examples')
const listCodes = (operation: JsonObject) =>
  listResponses(operation).flatMap(([, response]) => Object.keys(listExamples(response)))
const listParameters = (operation: JsonObject) =>
  Object.values(getPart(operation, 'parameters')) as JsonObject[]

describe('the OpenAPI description', () => {
  it('has every operation', () => {
    const methods = Object.values(getPart(openapi(), 'paths')).flatMap((path) => Object.keys(path as object))
    assert.equal(methods.length, operations.length)
    for (const { id } of operations) assert.equal(findOperation(id).operationId, id)
  })

  it('is plain JSON whose references resolve', () => {
    const document = openapi({ stability: { listPets: 'beta' } })
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    assert.ok(references.length > 0)
    for (const [, pointer = ''] of references)
      assert.notDeepEqual(getPart(document, ...pointer.split('/')), {}, pointer)
  })

  it('documents every error with its status', () => {
    const allErrors = Object.entries(errors).map(([code, { status, message }]) => ({ code, message, status }))
    assert.deepEqual(getPart(openapi(), 'components', 'schemas', 'Error').examples, allErrors)
    const documentedCodes = new Set<string>()
    for (const { id } of operations)
      for (const [status, response] of listResponses(findOperation(id)))
        for (const [code, example] of Object.entries(listExamples(response))) {
          assert.deepEqual(example, { value: allErrors.find((error) => error.code === code) })
          assert.equal(getPart(example as JsonObject, 'value').status, Number(status))
          documentedCodes.add(code)
        }
    const missingCodes = Object.keys(errors).filter((code) => !documentedCodes.has(code))
    assert.deepEqual(missingCodes, ['route_not_found', 'method_not_allowed'])
  })

  it('requires the rate limit headers in every response', () => {
    const document = openapi()
    for (const { id } of operations)
      for (const [status, response] of listResponses(findOperation(id))) {
        const headers = Object.entries(getPart(response as JsonObject, 'headers')) as [string, JsonObject][]
        const requiredHeaders = headers.filter(([, { $ref, required }]) =>
          typeof $ref === 'string' ? getPart(document, ...$ref.slice(2).split('/')).required : required,
        )
        const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
        const expectedHeaders = status === '429' ? [...limits, 'Retry-After'] : limits
        assert.deepEqual(
          requiredHeaders.map(([name]) => name),
          expectedHeaders,
          `${id} ${status}`,
        )
      }
  })

  it('requires an API key, and allows further error codes', () => {
    const document = openapi()
    const codeSchema = getPart(document, 'components', 'schemas', 'Error', 'properties', 'code')
    assert.deepEqual([codeSchema.type, codeSchema.enum], ['string', undefined])
    assert.deepEqual(document.security, [{ bearerAuth: [] }])
    assert.equal(getPart(document, 'components', 'securitySchemes', 'bearerAuth').scheme, 'bearer')
    for (const name of ['license', 'contact']) assert.ok(getPart(document, 'info', name).name)
  })

  it('marks getPet as deprecated', () => {
    const getPet = findOperation('getPet', { deprecatedSince: 1_800_000_000 })
    assert.deepEqual([getPet.deprecated, getPet['x-sunset']], [true, '2030-12-05'])
    for (const [, response] of listResponses(getPet)) {
      const names = Object.keys(getPart(response as JsonObject, 'headers'))
      assert.deepEqual(names.slice(-3), ['Deprecation', 'Sunset', 'Link'])
    }
    assert.match(JSON.stringify(getPet), /"example":"@1800000000"/)
    assert.equal(findOperation('listPets').deprecated, undefined)
    assert.ok(!listCodes(findOperation('getPet', { removal: 'manual' })).includes('operation_removed'))
  })

  it('reflects the service options', () => {
    const createPetPath = ['paths', '/pets', 'post']
    const namePath = ['components', 'schemas', 'NewPet', 'properties', 'name']
    for (const [options, path, member, expected] of [
      [{}, ['servers', 0], 'url', /^\/v1$/],
      [{ basePath: undefined }, ['servers', 0], 'url', /^\/v1$/],
      [{ basePath: '/animals/v1' }, ['servers', 0], 'url', /^\/animals\/v1$/],
      [{ basePath: '' }, ['servers', 0], 'url', /^\/$/],
      [{ stability: { createPet: 'beta' } }, createPetPath, 'x-stability', /^beta$/],
      [{ stability: { listPets: 'beta' } }, createPetPath, 'x-stability', undefined],
      [{}, createPetPath, 'description', /available/],
      [{ defaultStatus: 'pending' }, createPetPath, 'description', /pending/],
      [{ defaultStatus: null }, createPetPath, 'description', /none/],
      [{ maxBodyBytes: 1234 }, createPetPath, 'description', /1234 bytes/],
      [{}, namePath, 'maxLength', /^1000$/],
      [{ maxNameLength: 5 }, namePath, 'maxLength', /^5$/],
      [{ maxNameLength: null }, namePath, 'maxLength', undefined],
    ] as const) {
      const shownValue = getPart(openapi(options as object), ...path)[member]
      if (expected) assert.match(String(shownValue), expected)
      else assert.equal(shownValue, undefined)
    }
    const getPet = JSON.stringify(findOperation('getPet', { basePath: '/animals/v1' }))
    assert.match(getPet, /"<\/animals\/v1\/pets>; rel=\\"successor-version\\""/)
  })

  it('has Idempotency-Key only if the service supports it', () => {
    for (const options of [{}, { idempotency: { ttlMs: 1 } }, { store: createMemoryStore() }])
      assert.equal(listParameters(findOperation('createPet', options))[0]?.name, 'Idempotency-Key')
    for (const options of [{ idempotency: false as const }, { store: createStubStore() }])
      assert.doesNotMatch(JSON.stringify(openapi(options)), /idempoten|"409"|"422"/i)
    assert.ok(getPart(findOperation('createPet'), 'responses', 409, 'headers')['Retry-After'])
    const [parameter = {}] = listParameters(findOperation('createPet'))
    // JSON Schema patterns are Unicode patterns.
    const pattern = new RegExp(String(getPart(parameter, 'schema').pattern), 'u')
    for (const valid of ['k', '"k"', "!#'(),/:;<=>?@[]{|}~", '!'.repeat(255), `"${'~'.repeat(255)}"`])
      assert.match(valid, pattern)
    for (const invalid of ['', '""', '"k', 'a b', 'a\\b', 'é', '!'.repeat(256)])
      assert.doesNotMatch(invalid, pattern)
  })

  it('warns that an int64 may exceed 2^53', () => {
    const countOccurrences = (text: string) => JSON.stringify(openapi()).split(text).length - 1
    assert.ok(countOccurrences('"format":"int64"') >= 4)
    assert.equal(countOccurrences('may exceed 2^53'), countOccurrences('"format":"int64"'))
  })

  const rejectedDecision = { allowed: false, banned: false, limit: 60, remaining: 0, reset: 1, waitMs: 1 }
  const exhaustedLimiter = { consume: () => rejectedDecision, peek: () => rejectedDecision }
  const newPetJson = '{"name":"Mia","categoryId":3}'
  const createWithKey = { headers: { ...keyHeaders, 'idempotency-key': 'k' }, body: newPetJson }
  const withEarlierCreation = (outcome: 'replayed' | 'reused') => ({
    store: createStubStore({ createOnce: () => ({ outcome, id: 1n }), findCreated: () => undefined }),
  })
  const createWithTextType = { headers: { ...keyHeaders, 'content-type': 'text/plain' } }

  const requestCases: readonly (readonly [
    operation: OperationId,
    title: string,
    request?: { target?: string; headers?: Record<string, string>; body?: string },
    options?: Partial<ServiceOptions>,
  ])[] = [
    ['listPets', 'a valid request'],
    ['listPets', 'a request with a next page', { target: '/v1/pets?limit=1' }],
    ['listPets', 'an invalid parameter', { target: '/v1/pets?limit=0' }],
    ['listPets', 'a request without a key', { headers: {} }],
    ['listPets', 'a rate-limited request', {}, { limiter: exhaustedLimiter }],
    ['listPets', 'a failing store', {}, { store: createStubStore({ list: () => throwError('a defect') }) }],
    ['listPets', 'an unknown Expect', { headers: { expect: 'a miracle' } }],
    ['createPet', 'a new animal', { body: newPetJson }],
    ['createPet', 'a body that is not JSON', { body: '{' }],
    ['createPet', 'a body that is not a NewPet', { body: '{}' }],
    ['createPet', 'a body that is too long', { body: newPetJson }, { maxBodyBytes: 3 }],
    ['createPet', 'a body with another media type', createWithTextType],
    ['createPet', 'a repeated idempotency key', createWithKey, withEarlierCreation('replayed')],
    ['createPet', 'an idempotency key with another body', createWithKey, withEarlierCreation('reused')],
    ['createPet', 'an invalid idempotency key', { headers: { ...keyHeaders, 'idempotency-key': '' } }],
    ['getPet', 'an animal', { target: '/v1/pets/1' }],
    ['getPet', 'an unknown id', { target: '/v1/pets/404' }],
    [
      'getPet',
      'a request after its removal date',
      { target: '/v1/pets/1' },
      { clock: () => Date.UTC(2031, 0) },
    ],
  ]

  const ajv = new Ajv2020({ strict: false, formats: { int64: true } })

  for (const [id, title, request, options] of requestCases)
    it(`documents how ${id} responds to ${title}`, async () => {
      const store = createMemoryStore()
      for (const name of ['Mia', 'Ada']) store.create({ name, categoryId: 3n })
      const { service } = serve({ store, ...options })
      const method = id === 'createPet' ? 'POST' : 'GET'
      const response = await service.handle(createServiceRequest({ method, headers: keyHeaders, ...request }))

      const documentedResponse = getPart(findOperation(id), 'responses', response.status)
      const { schema } = getPart(documentedResponse, 'content', 'application/json')
      const { components } = openapi()
      const body = JSON.parse(response.body ?? '')
      assert.ok(ajv.validate({ ...(schema as JsonObject), components }, body), ajv.errorsText())
      const headers = getPart(documentedResponse, 'headers')
      const names = response.rawHeaders.filter((_, i) => i % 2 === 0)
      for (const name of names) assert.ok(name === 'Content-Type' || name in headers, name)
      for (const name of Object.keys(getPart(openapi(), 'components', 'headers')))
        assert.equal(name in headers, names.includes(name), name)
      if (response.status >= 400) assert.ok(listCodes(findOperation(id)).includes(body.code))
    })
})
