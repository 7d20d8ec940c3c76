import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createKeyStore,
  createMemoryStore,
  createPetService,
  errors,
  type OperationId,
  operations,
  type ServiceOptions,
  sha256,
} from './index.ts'
import { type DescribedOptions, openapi } from './openapi.ts'
import { serviceRequest } from './testing/service-request.ts'

const key = 'a-key-for-tests'
const keys = createKeyStore([{ id: 'tester', sha256: sha256(key), plan: 'free' }])

/** What the tests read of the description. */
interface Description {
  readonly info: Readonly<Record<'license' | 'contact', { readonly name: string }>>
  readonly servers: unknown
  readonly security: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: {
    readonly securitySchemes: { readonly bearerAuth: { readonly scheme: string } }
    readonly headers: Readonly<Record<string, { readonly required: boolean }>>
    readonly schemas: Readonly<
      Record<
        'NewPet' | 'Error',
        {
          readonly examples: unknown
          readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
        }
      >
    >
  }
}

interface Described {
  readonly operationId: OperationId
  readonly description: string
  readonly deprecated?: true
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly example: unknown
    readonly schema: { readonly pattern?: string }
  }[]
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers: Readonly<Record<string, unknown>>
        readonly content?: {
          'application/json': {
            readonly examples?: Readonly<Record<string, { readonly value: { status: number } }>>
          }
        }
      }
    >
  >
  readonly 'x-sunset'?: string
  readonly 'x-stability'?: string
}

const describedBy = (options?: DescribedOptions) => openapi(options) as unknown as Description // JSON of that shape

function operationsOf(document: Description): ReadonlyMap<OperationId, Described> {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  return new Map(all.map((operation) => [operation.operationId, operation]))
}

function operationOf(document: Description, id: OperationId): Described {
  const operation = operationsOf(document).get(id)
  assert.ok(operation, id)
  return operation
}

/** The codes of the Errors that an operation documents. */
function codesOf({ responses }: Described): string[] {
  return Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.['application/json'].examples ?? {}),
  )
}

describe('the OpenAPI description', () => {
  it('has every operation of the table at its path and method', () => {
    const { paths } = describedBy()
    for (const { id, method, path } of operations) {
      assert.equal(paths[path]?.[method.toLowerCase()]?.operationId, id)
    }
    assert.equal(operationsOf(describedBy()).size, operations.length)
  })

  it('has no reference that leads nowhere', () => {
    const document: unknown = JSON.parse(JSON.stringify(describedBy()))
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    assert.ok(references.length > 0)
    for (const [, pointer = ''] of references) {
      let place = document
      for (const name of pointer.split('/')) {
        assert.ok(typeof place === 'object' && place !== null && name in place, pointer)
        place = Reflect.get(place, name)
      }
    }
  })

  it('is the same after JSON', () => {
    const document = describedBy({ stability: { listPets: 'beta' } })
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
  })

  it('documents each error with an operation, except those of other paths and methods', () => {
    const documented = new Set([...operationsOf(describedBy()).values()].flatMap(codesOf))
    const missing = Object.keys(errors).filter((code) => !documented.has(code))
    assert.deepEqual(missing, ['route_not_found', 'method_not_allowed'])
  })

  it('shows every error as it is sent, each under its own status', () => {
    const all = describedBy().components.schemas.Error.examples
    assert.deepEqual(
      all,
      Object.entries(errors).map(([code, [status, message]]) => ({ code, message, status })),
    )
    for (const { responses } of operationsOf(describedBy()).values()) {
      for (const [status, { content }] of Object.entries(responses)) {
        for (const { value } of Object.values(content?.['application/json'].examples ?? {})) {
          assert.equal(value.status, Number(status))
        }
      }
    }
  })

  it('requires a bearer token of every caller', () => {
    const { security, components } = describedBy()
    assert.deepEqual(security, [{ bearerAuth: [] }])
    assert.equal(components.securitySchemes.bearerAuth.scheme, 'bearer')
  })

  it('marks getPet deprecated, with the day of its removal and its headers', () => {
    const getPet = operationOf(describedBy({ deprecatedSince: 1_800_000_000 }), 'getPet')
    assert.equal(getPet.deprecated, true)
    assert.equal(getPet['x-sunset'], '2030-12-05')
    assert.match(getPet.description, /2030-12-05/)
    for (const { headers } of Object.values(getPet.responses)) {
      assert.deepEqual(Object.keys(headers).slice(-3), ['Deprecation', 'Sunset', 'Link'])
    }
    assert.match(JSON.stringify(getPet), /"example":"@1800000000"/)
    assert.equal(operationOf(describedBy(), 'listPets').deprecated, undefined)
  })

  it('has no 410 if getPet is removed manually', () => {
    assert.ok(operationOf(describedBy(), 'getPet').responses[410])
    assert.equal(operationOf(describedBy({ removal: 'manual' }), 'getPet').responses[410], undefined)
  })

  it('has the stability markers of the service', () => {
    const document = describedBy({ stability: { createPet: 'beta' } })
    assert.equal(operationOf(document, 'createPet')['x-stability'], 'beta')
    assert.equal(operationOf(document, 'listPets')['x-stability'], undefined)
  })

  it('has the base path of the service', () => {
    assert.deepEqual(describedBy().servers, [{ url: '/v1' }])
    const moved = describedBy({ basePath: '/animals/v1' })
    assert.deepEqual(moved.servers, [{ url: '/animals/v1' }])
    assert.match(JSON.stringify(moved), /<\/animals\/v1\/pets>; rel=\\"successor-version\\"/)
    assert.deepEqual(describedBy({ basePath: '' }).servers, [{ url: '/' }])
  })

  it('describes the default status and the longest body', () => {
    const described = (options: DescribedOptions) =>
      operationOf(describedBy(options), 'createPet').description
    assert.match(described({}), /available/)
    assert.match(described({ defaultStatus: 'pending' }), /pending/)
    assert.match(described({ defaultStatus: null }), /none/)
    assert.match(described({ maxBodyBytes: 1234 }), /1234 bytes/)
  })

  it('describes Idempotency-Key where the service accepts it', () => {
    const { create, get, list } = createMemoryStore()
    for (const options of [{}, { idempotency: { keepMs: 1 } }, { store: createMemoryStore() }]) {
      const { parameters, responses } = operationOf(describedBy(options), 'createPet')
      assert.deepEqual(
        parameters?.map(({ name, in: place }) => [name, place]),
        [['Idempotency-Key', 'header']],
      )
      assert.ok(responses[409]?.headers['Retry-After'] && responses[422])
      assert.ok(responses[201]?.headers['Idempotency-Replayed'])
    }
    const pattern = new RegExp(
      operationOf(describedBy(), 'createPet').parameters?.[0]?.schema.pattern ?? assert.fail(),
      'u', // as JSON Schema reads it
    )
    for (const valid of ['k', '"k"', '!'.repeat(255), `"${'~'.repeat(255)}"`]) assert.match(valid, pattern)
    for (const invalid of ['', '""', '"k', 'a b', 'a\\b', 'é', '!'.repeat(256)])
      assert.doesNotMatch(invalid, pattern)
    for (const options of [{ idempotency: false as const }, { store: { create, get, list } }]) {
      assert.doesNotMatch(JSON.stringify(describedBy(options)), /idempoten|"409"|"422"/i)
    }
  })

  it('describes the longest name, if there is a bound', () => {
    const nameOf = (options?: DescribedOptions) =>
      describedBy(options).components.schemas.NewPet.properties.name
    assert.equal(nameOf()?.maxLength, 1_000)
    assert.equal(nameOf({ maxNameLength: 5 })?.maxLength, 5)
    assert.ok(!('maxLength' in (nameOf({ maxNameLength: null }) ?? {})))
  })

  it('has an example of each parameter, which tools send, and says that an int64 is no double', () => {
    for (const { parameters = [] } of operationsOf(describedBy()).values())
      for (const { name, example } of parameters) assert.ok(example !== undefined, name)
    const { NewPet } = describedBy().components.schemas
    assert.match(String(NewPet.properties.categoryId?.description), /2\^53/)
    for (const id of ['petId', 'after'])
      assert.match(JSON.stringify(describedBy().paths), new RegExp(`"${id}"[^}]*may exceed 2\\^53`))
  })

  it('leaves the codes of errors open, so that a client of today reads those of tomorrow', () => {
    assert.equal(describedBy().components.schemas.Error.properties.code?.enum, undefined)
  })

  it('names its licence and its contact', () => {
    const { license, contact } = describedBy().info
    assert.ok(license.name && contact.name)
  })

  it('treats an option that is undefined as left out', () => {
    const options: object = { basePath: undefined }
    assert.deepEqual(describedBy(options), describedBy())
  })
})

describe('the responses of the service', () => {
  const anonymous = {}
  const member = { authorization: `Bearer ${key}` }
  const failing = {
    ...createMemoryStore(),
    list: () => {
      throw new Error('a defect')
    },
  }
  const decision = { allowed: false, banned: false, limit: 60, remaining: 0, reset: 1, waitMs: 1 }
  const spent = { consume: () => decision, peek: () => decision }
  const keyed = { headers: { ...member, 'idempotency-key': 'k' }, body: '{"name":"Mia","categoryId":3}' }
  const finding = (outcome: 'replayed' | 'reused') => ({
    store: { ...createMemoryStore(), createOnce: () => ({ outcome, id: 1n }) },
  })
  const cases: readonly (readonly [
    title: string,
    operation: OperationId,
    target: string,
    request?: { headers?: Record<string, string>; body?: string },
    options?: Partial<ServiceOptions>,
  ])[] = [
    ['a page', 'listPets', '/v1/pets'],
    ['a page with more behind it', 'listPets', '/v1/pets?limit=1'],
    ['a wrong parameter', 'listPets', '/v1/pets?limit=0'],
    ['no key', 'listPets', '/v1/pets', { headers: anonymous }],
    ['a limit that is reached', 'listPets', '/v1/pets', {}, { limiter: spent }],
    ['a defect', 'listPets', '/v1/pets', {}, { store: failing }],
    ['an unknown expectation', 'listPets', '/v1/pets', { headers: { expect: 'a miracle' } }],
    ['a new animal', 'createPet', '/v1/pets', { body: '{"name":"Mia","categoryId":3}' }],
    ['no JSON', 'createPet', '/v1/pets', { body: '{' }],
    ['no NewPet', 'createPet', '/v1/pets', { body: '{}' }],
    ['a long body', 'createPet', '/v1/pets', { body: '{"name":"Mia"}' }, { maxBodyBytes: 3 }],
    [
      'a body of another type',
      'createPet',
      '/v1/pets',
      { headers: { ...member, 'content-type': 'text/plain' } },
    ],
    ['an animal for a key', 'createPet', '/v1/pets', keyed],
    ['an animal for a key that is sent again', 'createPet', '/v1/pets', keyed, finding('replayed')],
    ['a key that is sent with another animal', 'createPet', '/v1/pets', keyed, finding('reused')],
    ['a key that is no key', 'createPet', '/v1/pets', { headers: { ...member, 'idempotency-key': '' } }],
    ['an animal', 'getPet', '/v1/pets/1'],
    ['an animal that is not there', 'getPet', '/v1/pets/404'],
    ['getPet without a key', 'getPet', '/v1/pets/1', { headers: anonymous }],
    ['getPet after its removal', 'getPet', '/v1/pets/1', {}, { clock: () => Date.UTC(2031, 0) }],
  ]
  for (const [title, id, target, { headers = member, body = '' } = {}, options] of cases) {
    it(`are documented: ${title}`, async () => {
      const store = createMemoryStore()
      for (const name of ['Mia', 'Ada']) store.create({ name, categoryId: 3n })
      const service = createPetService({ keys, store, ...options })
      const method = id === 'createPet' ? 'POST' : 'GET'
      const response = await service.handle(serviceRequest({ method, target, headers, body }))

      const documented = operationOf(describedBy(), id).responses[response.status]
      assert.ok(documented, `${response.status} of ${id}`)
      const sent = response.headers.filter((_, i) => i % 2 === 0)
      assert.deepEqual(
        sent.filter((name) => name !== 'Content-Type' && !(name in documented.headers)),
        [],
      )
      const promised = Object.entries(describedBy().components.headers).filter(([, { required }]) => required)
      for (const [name] of promised) assert.equal(name in documented.headers, sent.includes(name), name)
      if (response.status >= 400) {
        const { code } = JSON.parse(String(response.body))
        assert.ok(codesOf(operationOf(describedBy(), id)).includes(code), code)
      }
    })
  }
})
