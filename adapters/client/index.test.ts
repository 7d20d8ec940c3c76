import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import { createFetchHandler } from '../fetch/index.ts'
import { testService } from '../testing/mount-suite/open.ts'
import { createPetClient, type Pet, type PetClientOptions } from './index.ts'
import { apiKey, baseUrl, isError, json, newRex, rex, scripted, type Turn } from './testing/scripted.ts'

const animal = (id: number) => `[{"id":${id},"name":"Rex","categoryId":7}]`
const linked = (id: number, link: string): Turn => json(200, animal(id), { Link: link })
const isInvalid = (message: RegExp) => isError('invalid_response', message)

async function all(pets: AsyncIterable<Pet>): Promise<readonly bigint[]> {
  const ids: bigint[] = []
  for await (const { id } of pets) ids.push(id)
  return ids
}

describe('list', () => {
  it('returns the animals of all pages, again with each iteration', async () => {
    const turns = [
      linked(1, '</v1/pets?after=1>; rel="next"'),
      linked(2, `<${baseUrl}/pets?after=2>; rel=next, </v1>; rel="up"`),
      json(200, animal(3)),
    ]
    const { client, requests } = scripted(turns, { baseUrl: new URL(`${baseUrl}/`) })
    const pets = client.list({ limit: 1, status: 'sold', after: 0n })
    assert.deepEqual([await all(pets), await all(pets)], [[1n, 2n, 3n], [3n]])
    const first = '/pets?limit=1&status=sold&after=0'
    assert.deepEqual(
      requests.map(({ request }) => request.url.replace(baseUrl, '')),
      [first, '/pets?after=1', '/pets?after=2', first],
    )
  })

  for (const [what, ...links] of [
    ['another origin', '<https://elsewhere.example/v1/pets?after=1>; rel="next"'],
    ['another path', '</v1/pets/1>; rel="next"'],
    ['the page itself', '</v1/pets>; rel="next"'],
    ['the page itself with a fragment', '<#again>; rel="next"'],
    ['an earlier page', ...[1, 2, 1].map((id) => `<?after=${id}>; rel="next"`)],
  ] as const) {
    it(`rejects a next that leads to ${what}`, async () => {
      const { client, list, requests } = scripted(links.map((link, i) => linked(i, link)))
      await assert.rejects(all(client.list()), isInvalid(/rel="next" leads out of the list, or back/))
      assert.equal(requests.length, links.length)
      if (links.length === 1) await assert.rejects(list(), isInvalid(/rel="next"/))
    })
  }

  for (const [link, next] of [
    ['<?after=98>; rel=up, </v1/pets?after=1>; title="a, <b>; rel=up"; REL="last Next"', '?after=1'],
    ['</v1/pets?after=1>; rel="prev"'],
    ['<a>; rel="next-archive"'],
    ['next'],
    ['<>'],
    ['</v1>; title="<?after=98>; rel=next"; rel="up"'],
    ['</v1>; title="\\"<?after=98>; rel=next"'],
    ['</v1>; title="<?after=98>; rel=next'],
    ['</v1/pets?after=98>; rel=up; rel=next'],
  ])
    it(`finds ${next} in ${link}`, async () => {
      const page = await scripted([linked(1, link ?? '')]).list()
      assert.deepEqual([page.pets[0]?.id, page.next], [1n, next && `${baseUrl}/pets${next}`])
    })
})

describe('int64', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

  it('is exact in requests and responses', async () => {
    await fc.assert(
      fc.asyncProperty(int64, int64, async (id, categoryId) => {
        const body = `{"id":${id},"name":"Rex","categoryId":${categoryId}}`
        const { client, requests } = scripted([json(201, body), json(200, body)])
        const created = await client.create({ name: 'Rex', tags: ['x'], none: undefined, categoryId })
        assert.deepEqual(created, { id, name: 'Rex', categoryId })
        const sent = `{"name":"Rex","tags":["x"],"categoryId":${categoryId}}`
        assert.equal(await requests[0]?.request.text(), sent)
        await client.get(id)
        assert.equal(requests[1]?.request.url, `${baseUrl}/pets/${id}`)
      }),
      { numRuns: 50 },
    )
  })

  const beyond = ['9223372036854775808', '-9223372036854775809', '1e19', '1e999999999']
  const fractions = ['1.5', '4503599627370497.5', '1.00000000000000000001', '1e-1']
  for (const [text, value] of [
    ['7.0', 7n],
    ['1e3', 1000n],
    ['-0', 0n],
    ['0.0e9', 0n],
    ['12.50E+1', 125n],
    ['9223372036854775807.000', 2n ** 63n - 1n],
    ['922337203685477580700e-2', 2n ** 63n - 1n],
    ...[...beyond, ...fractions, '"7"', 'null'].map((text) => [text, undefined] as const),
  ] as const)
    it(`reads ${text} as ${value ?? 'no integer'}`, async () => {
      const reading = scripted([json(200, `{"name":"Rex","categoryId":1,"id":${text}}`)]).client.get(1)
      if (value === undefined) await assert.rejects(reading, isInvalid(/pet\.id/))
      else assert.equal((await reading).id, value)
    })

  it('is read from a number of 4 MB', async () => {
    const zeros = '0'.repeat(4_000_000)
    for (const [text, value] of [
      [`7.${zeros}`, 7n],
      [`7${zeros}e-4000000`, 7n],
      [`7.${zeros}1`, undefined],
      [`7${zeros}`, undefined],
    ] as const) {
      const reading = scripted([json(200, `{"name":"Rex","categoryId":1,"id":${text}}`)]).client.get(1)
      if (value === undefined) await assert.rejects(reading, isInvalid(/pet\.id/))
      else assert.equal((await reading).id, value)
    }
  })

  it('is exact in every member of a new animal', async () => {
    const { client, requests } = scripted([json(201, rex)])
    await client.create({ name: 'Rex', parents: [2n ** 60n], categoryId: 7 })
    assert.equal(await requests[0]?.request.text(), `{"name":"Rex","parents":[${2n ** 60n}],"categoryId":7}`)
  })

  it('is read from the last of repeated members, not from inner text', async () => {
    const name = 'a\\\\\\" , \\"id\\":1, \\u0022'
    const body = `{"id":1, "inner":{"id":5,"x":[1.5,2e2]}, "name":"${name}", "categoryId" : 9007199254740993,"id":9007199254740995}`
    assert.deepEqual(await scripted([json(200, body)]).client.get(1), {
      id: 9007199254740995n,
      inner: { id: 5, x: [1.5, 200] },
      name: JSON.parse(`"${name}"`),
      categoryId: 9007199254740993n,
    })
  })
})

describe('a response', () => {
  it('may have more members, which are kept', async () => {
    const { client } = scripted([
      json(200, '{"id":1,"name":"Rex","categoryId":7,"status":"sold","tags":["x",1],"__proto__":2}'),
    ])
    const pet = await client.get(1)
    assert.deepEqual([pet.status, pet.tags, Object.keys(pet).includes('__proto__')], ['sold', ['x', 1], true])
  })

  for (const [body, where] of [
    [`[${rex},{"id":2,"name":"Rex"}]`, /pets\[1\]\.categoryId/],
    [`[${rex},7]`, /pets\[1\]\.id/],
    ['[{"id":1,"name":5,"categoryId":7}]', /pets\[0\]\.name/],
    ['[{"id":1,"name":"Rex","categoryId":7,"status":"lost"}]', /pets\[0\]\.status/],
    ['[{"id":1,"name":"Rex","categoryId":7,"status":null}]', /pets\[0\]\.status/],
    ['{}', /not an array/],
    ['', /not an array/],
    ['<html>', /not an array/],
    ['[{"id":1', /not an array/],
    [new Uint8Array([0x5b, 0xff, 0x5d]), /not an array/], // no UTF-8
  ] as const) {
    it(`is invalid with the body ${body}`, async () => {
      const { list, requests } = scripted([() => new Response(body)])
      await assert.rejects(list(), isInvalid(where))
      assert.equal(requests.length, 1)
    })
  }

  it('is read up to a bound', async () => {
    let chunks = 0
    const pull = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new Uint8Array(2 ** 20).fill(++chunks && 32))
    const { list } = scripted([() => new Response(new ReadableStream({ pull }))])
    await assert.rejects(list(), isInvalid(/not an array/))
    assert.ok(chunks < 20, `${chunks} MiB`)
  })
})

describe('a wrong argument is a TypeError before anything is sent', () => {
  const { client, requests } = scripted([json(200, rex)])
  const wrong = (value: unknown) => value as never // the types forbid it
  const calls: Readonly<Record<string, () => unknown>> = {
    'query.limit': () => client.list({ limit: wrong('20') }),
    'query.status': () => client.list({ status: wrong(1) }),
    'query.status is': () => client.list({ status: wrong(['sold']) }),
    'query.after': () => client.list({ after: 2 ** 53 }),
    // @ts-expect-error a query has no further members
    'query.page': () => client.list({ page: 2 }),
    'query leads': () => client.list('https://elsewhere.example/v1/pets'),
    'options.signal': () => client.list({}, { signal: wrong({}) }),
    // @ts-expect-error a list has no key
    'options.idempotencyKey': () => client.list({}, { idempotencyKey: 'x' }),
    // @ts-expect-error an animal has a name
    'newPet.name': () => client.create({ categoryId: 7 }),
    'newPet.categoryId': () => client.create({ name: 'Rex', categoryId: 2n ** 63n }),
    // @ts-expect-error there are three statuses
    'newPet.status': () => client.create({ ...newRex, status: null }),
    'options.idempotencyKey is': () => client.create(newRex, { idempotencyKey: '"x"' }),
    options: () => client.list({}, wrong(5)),
    query: () => client.list(wrong(5)),
    'pet.id': () => client.get(1.5),
    'pet.id is': () => client.get(wrong(undefined)),
  }
  for (const [name, call] of Object.entries(calls)) {
    it(name, async () => {
      const message = new RegExp(`^${name.replace('.', '\\.')}`)
      await assert.rejects(async () => call(), { name: 'TypeError', message })
      assert.equal(requests.length, 0)
    })
  }

  for (const [name, ...values] of [
    ['baseUrl', undefined, '/v1', 'ftp://pets.example/v1', `${baseUrl}?x`, `${baseUrl}#x`],
    ['baseUrl', new URL('https://me@pets.example/v1'), 'https://:x@pets.example', [baseUrl], 'http://[x'],
    ['apiKey', undefined, `${apiKey}\n`, 'schlüssel'],
    ['maxWaitMs', -1, 2 ** 53],
    ['maxRetries', 1.5],
    ['timeoutMs', -1],
    ['pace', 'yes'],
    ['retries', 3],
  ] as const)
    it(`options.${name}: ${values.join(', ')}`, () => {
      const message = new RegExp(`^options\\.${name} (?!.*${apiKey})`)
      for (const value of values) {
        const options = { baseUrl, apiKey, [`${name}`]: value } as PetClientOptions // likewise
        assert.throws(() => createPetClient(options), { name: 'TypeError', message })
      }
    })
})

it('each call works on a service, and rejects with the code of its Error', async () => {
  const fetch = createFetchHandler(testService({}))
  const pets = createPetClient({ baseUrl, apiKey: 'zoo-key', onDeprecation() {}, fetch })
  const categoryId = 2n ** 63n - 1n
  const newPets = Array.from({ length: 25 }, (_, i) => {
    const status = i % 2 === 0 ? 'sold' : 'pending'
    return { name: `Rex "${i}" \\`, categoryId, status } as const
  })
  for (const newPet of newPets) await pets.create(newPet)
  const create = (name: string) => pets.create({ name, categoryId: 1 }, { idempotencyKey: 'the-same' })
  const first = await create('Émile')
  assert.deepEqual([await create('Émile'), await pets.get(first.id)], [first, first])
  const sold: Pet[] = []
  for await (const pet of pets.list({ limit: 4, status: 'sold' })) sold.push(pet)
  assert.deepEqual(
    sold.map(({ id: _, ...pet }) => pet),
    newPets.filter(({ status }) => status === 'sold'),
  )
  const { pets: page, next } = await pets.list({ limit: 20 }).page()
  assert.deepEqual([page.length, (await pets.list(next).page()).pets.length], [20, 6])
  for (const [call, code, status] of [
    [() => pets.get(0), 'pet_not_found', 404],
    [() => pets.list({ limit: 0 }).page(), 'invalid_parameter', 400],
    [() => pets.create({ name: '\u0000', categoryId: 1 }), 'invalid_pet', 400],
    [() => create('other'), 'idempotency_key_reused', 422],
  ] as const)
    await assert.rejects(call(), isError(code, status))
})
