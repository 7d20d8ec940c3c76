import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { apiKey, baseUrl, json, rex, scripted, type Turn } from './client/testing/scripted.ts'
import { createPetClient, type Pet, PetApiError, type PetClientOptions } from './client.ts'
import { createFetchHandler } from './fetch.ts'
import { testService } from './testing/mount-suite/open.ts'

const linked = (body: string, link: string): Turn => json(200, body, { Link: link })

async function all(pets: AsyncIterable<Pet>): Promise<readonly bigint[]> {
  const ids: bigint[] = []
  for await (const { id } of pets) ids.push(id)
  return ids
}

const animal = (id: number) => `[{"id":${id},"name":"Rex","categoryId":7}]`

describe('a client lists', () => {
  it('the animals of all pages, in the order of the pages', async () => {
    const { client, requests } = scripted([
      linked(animal(1), '</v1/pets?after=1>; rel="next"'),
      linked(animal(2), `<${baseUrl}/pets?after=2>; rel=next, </v1>; rel="up"`),
      json(200, animal(3)),
    ])
    assert.deepEqual(await all(client.list({ limit: 1, status: 'sold', after: 0n })), [1n, 2n, 3n])
    assert.deepEqual(
      requests.map(({ request }) => request.url.replace(baseUrl, '')),
      ['/pets?limit=1&status=sold&after=0', '/pets?after=1', '/pets?after=2'],
    )
  })

  it('the first page anew with each iteration', async () => {
    const { client, requests } = scripted([json(200, animal(1))])
    const pets = client.list()
    assert.deepEqual([await all(pets), await all(pets)], [[1n], [1n]])
    assert.equal(requests.length, 2)
  })

  it('one page, whose next takes the place of a query', async () => {
    const { client, requests } = scripted([
      linked(animal(1), '<?after=98>; rel=up, </v1/pets?after=1>; title="a, <b>; rel=up"; REL="last Next"'),
      json(200, animal(2)),
    ])
    const { next, pets } = await client.list().page()
    assert.deepEqual([pets.map(({ id }) => id), next], [[1n], `${baseUrl}/pets?after=1`])
    assert.deepEqual(await client.list(next).page(), {
      pets: [{ id: 2n, name: 'Rex', categoryId: 7n }],
      next: undefined,
    })
    assert.equal(requests[1]?.request.url, next)
  })

  const bad: readonly (readonly [what: string, link: string])[] = [
    ['another origin', '<https://elsewhere.example/v1/pets?after=1>; rel="next"'],
    ['another path', '</v1/pets/1>; rel="next"'],
    ['the page itself', '</v1/pets>; rel="next"'],
    ['the page itself with a fragment', '<#again>; rel="next"'],
  ]
  for (const [what, link] of bad) {
    it(`no further than a next that leads to ${what}`, async () => {
      const { client, requests } = scripted([linked(animal(1), link)])
      const ids: bigint[] = []
      await assert.rejects(
        async () => {
          for await (const { id } of client.list()) ids.push(id)
        },
        isInvalid(/rel="next"/),
      )
      assert.deepEqual(ids, [1n])
      await assert.rejects(client.list().page(), isInvalid(/rel="next"/))
      assert.equal(requests.length, 2)
    })
  }

  it('no further than a next that leads back to an earlier page', async () => {
    const { client, requests } = scripted([
      linked(animal(1), '<?after=1>; rel="next"'),
      linked(animal(2), '<?after=2>; rel="next"'),
      linked(animal(3), '<?after=1>; rel="next"'),
    ])
    await assert.rejects(all(client.list()), isInvalid(/leads out of the list, or back/))
    assert.equal(requests.length, 3)
  })

  it('one page where other relations are linked', async () => {
    const links = [
      '</v1/pets?after=1>; rel="prev"',
      '<a>; rel="next-archive"',
      'next',
      '<>',
      '</v1>; title="<?after=98>; rel=next"; rel="up"',
      '</v1>; title="\\"<?after=98>; rel=next"',
      '</v1>; title="<?after=98>; rel=next',
      '</v1/pets?after=98>; rel=up; rel=next',
    ]
    for (const link of links) {
      const { client } = scripted([linked(animal(1), link)])
      assert.equal((await client.list().page()).next, undefined, link)
    }
  })
})

const isInvalid = (message: RegExp) => (thrown: unknown) =>
  thrown instanceof PetApiError && thrown.code === 'invalid_response' && message.test(thrown.message)

describe('int64', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

  it('is exact both ways', async () => {
    await fc.assert(
      fc.asyncProperty(int64, int64, async (id, categoryId) => {
        const { client, requests } = scripted([
          json(201, `{"id":${id},"name":"Rex","categoryId":${categoryId}}`),
        ])
        assert.deepEqual(await client.create({ name: 'Rex', categoryId }), { id, name: 'Rex', categoryId })
        assert.match((await requests[0]?.request.text()) ?? '', new RegExp(`"categoryId":${categoryId}}`))
      }),
      { numRuns: 50 },
    )
  })

  const numbers: readonly (readonly [text: string, value: bigint | undefined])[] = [
    ['7.0', 7n],
    ['1e3', 1000n],
    ['-0', 0n],
    ['0.0e9', 0n],
    ['12.50E+1', 125n],
    ['9223372036854775807.000', 2n ** 63n - 1n],
    ['922337203685477580700e-2', 2n ** 63n - 1n],
    ['9223372036854775808', undefined],
    ['-9223372036854775809', undefined],
    ['1e19', undefined],
    ['1e999999999', undefined],
    ['1.5', undefined],
    ['4503599627370497.5', undefined],
    ['1.00000000000000000001', undefined],
    ['1e-1', undefined],
    ['"7"', undefined],
    ['null', undefined],
  ]
  for (const [text, value] of numbers) {
    it(`reads ${text} as ${value ?? 'no integer'}`, async () => {
      const { client } = scripted([json(200, `{"name":"Rex","categoryId":1,"id":${text}}`)])
      if (value === undefined) await assert.rejects(client.get(1), isInvalid(/pet\.id/))
      else assert.equal((await client.get(1)).id, value)
    })
  }

  it('is read from the last of repeated members, not from strings and not from inner objects', async () => {
    const name = 'a\\\\\\" , \\"id\\":1, \\u0022'
    const body = `{"id":1, "inner":{"id":5,"x":[1.5,2e2]}, "name":"${name}", "categoryId" : 9007199254740993,"id":9007199254740995}`
    const { client } = scripted([json(200, body)])
    const { id, categoryId, name: read, inner } = await client.get(1)
    assert.deepEqual([id, categoryId], [9007199254740995n, 9007199254740993n])
    assert.deepEqual([read, inner], [JSON.parse(`"${name}"`), { id: 5, x: [1.5, 200] }])
  })

  it('is a path of getPet, exactly', async () => {
    const { client, requests } = scripted([json(200, rex)])
    await client.get(-(2n ** 63n))
    assert.equal(requests[0]?.request.url, `${baseUrl}/pets/-9223372036854775808`)
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

  const bodies: readonly (readonly [body: string | Uint8Array<ArrayBuffer>, where: RegExp])[] = [
    [`[${rex},{"id":2,"name":"Rex"}]`, /pets\[1\]\.categoryId/],
    [`[${rex},7]`, /pets\[1\]\.id/],
    ['[{"id":1,"name":5,"categoryId":7}]', /pets\[0\]\.name/],
    ['[{"id":1,"name":"Rex","categoryId":7,"status":"lost"}]', /pets\[0\]\.status/],
    ['[{"id":1,"name":"Rex","categoryId":7,"status":null}]', /pets\[0\]\.status/],
    ['{}', /not a JSON array/],
    ['', /not a JSON array/],
    ['<html>', /not a JSON array/],
    ['[{"id":1', /not a JSON array/],
    [new Uint8Array([0x5b, 0xff, 0x5d]), /not a JSON array/],
  ]
  for (const [body, where] of bodies) {
    it(`is invalid with the body ${typeof body === 'string' ? body : 'of bytes that are not UTF-8'}`, async () => {
      const { client, requests } = scripted([() => new Response(body)])
      await assert.rejects(client.list().page(), isInvalid(where))
      assert.equal(requests.length, 1)
    })
  }

  it('is read up to a bound', async () => {
    let chunks = 0
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(2 ** 20).fill(++chunks && 32)),
        }),
      )
    const { client } = scripted([endless])
    await assert.rejects(client.list().page(), isInvalid(/not a JSON array/))
    assert.ok(chunks < 20, `${chunks} MiB`)
  })
})

describe('an argument that is wrong is a TypeError before anything is sent', () => {
  const { client, requests } = scripted([json(200, rex)])
  const wrong = (value: unknown) => value as never // the types forbid it
  const calls: Readonly<Record<string, () => unknown>> = {
    'query.limit': () => client.list({ limit: wrong('20') }),
    'query.status': () => client.list({ status: wrong(1) }),
    'query.after': () => client.list({ after: 2 ** 53 }),
    'query.page': () => client.list(wrong({ page: 2 })),
    'query is': () => client.list('https://elsewhere.example/v1/pets'),
    'options.signal': () => client.list({}, { signal: wrong({}) }),
    'options.idempotencyKey': () => client.list({}, wrong({ idempotencyKey: 'x' })),
    'newPet.name': () => client.create(wrong({ categoryId: 7 })),
    'newPet.categoryId': () => client.create({ name: 'Rex', categoryId: 2n ** 63n }),
    'newPet.status': () => client.create({ name: 'Rex', categoryId: 7, status: wrong(null) }),
    'options.idempotencyKey is': () =>
      client.create({ name: 'Rex', categoryId: 7 }, { idempotencyKey: '"x"' }),
    'options.timeoutMs': () => client.create({ name: 'Rex', categoryId: 7 }, { timeoutMs: -1 }),
    'pet.id': () => client.get(1.5),
    'pet.id is': () => client.get(wrong(undefined)),
  }
  for (const [name, call] of Object.entries(calls)) {
    it(name, async () => {
      await assert.rejects(
        async () => call(),
        (thrown) => thrown instanceof TypeError && thrown.message.startsWith(name),
      )
      assert.equal(requests.length, 0)
    })
  }

  const options: readonly (readonly [name: string, options: object])[] = [
    ['baseUrl', { baseUrl: undefined }],
    ['baseUrl', { baseUrl: '/v1' }],
    ['baseUrl', { baseUrl: 'ftp://pets.example/v1' }],
    ['baseUrl', { baseUrl: `${baseUrl}?x` }],
    ['baseUrl', { baseUrl: `${baseUrl}#x` }],
    ['baseUrl', { baseUrl: new URL('https://me@pets.example/v1') }],
    ['apiKey', { apiKey: undefined }],
    ['apiKey', { apiKey: `${apiKey}\n` }],
    ['apiKey', { apiKey: 'schlüssel' }],
    ['maxWaitMs', { maxWaitMs: -1 }],
    ['maxWaitMs', { maxWaitMs: 2 ** 53 }],
    ['maxRetries', { maxRetries: 1.5 }],
    ['pace', { pace: 'yes' }],
    ['retries', { retries: 3 }],
  ]
  for (const [name, wrongOptions] of options) {
    it(`options.${name}: ${JSON.stringify(wrongOptions)}`, () => {
      assert.throws(
        () => createPetClient({ baseUrl, apiKey, ...wrongOptions } as PetClientOptions),
        (thrown) =>
          thrown instanceof TypeError &&
          thrown.message.startsWith(`options.${name} `) &&
          !thrown.message.includes(apiKey),
      )
    })
  }
})

describe('what is the server’s to judge', () => {
  it('is sent as it is: ranges, names, and further members', async () => {
    const { client, requests } = scripted([json(200, '[]'), json(201, rex)])
    await client.list({ limit: 1_000 }).page()
    await client.create({ name: '', categoryId: 7, status: 'sold', tags: ['x'], none: undefined })
    assert.equal(requests[0]?.request.url, `${baseUrl}/pets?limit=1000`)
    assert.deepEqual(await requests[1]?.request.json(), {
      name: '',
      status: 'sold',
      tags: ['x'],
      categoryId: 7,
    })
  })

  it('goes to the same place with a slash at the end of the base URL, and with a URL', async () => {
    for (const base of [`${baseUrl}/`, new URL(baseUrl)]) {
      const { client, requests } = scripted([json(200, '[]')], { baseUrl: base })
      await client.list().page()
      assert.equal(requests[0]?.request.url, `${baseUrl}/pets`)
    }
  })
})

describe('on a service', () => {
  it('each call does what it asks for, and rejects with the code of the Error', async () => {
    const handler = createFetchHandler(testService({}))
    const options = { baseUrl, apiKey: 'zoo-key', onDeprecation() {} }
    const pets = createPetClient({ ...options, fetch: (request) => handler(request) })
    const categoryId = 2n ** 63n - 1n
    for (let i = 0; i < 25; i++)
      await pets.create({ name: `Rex "${i}" \\`, categoryId, status: i % 2 === 0 ? 'sold' : 'pending' })
    const create = (name: string) => pets.create({ name, categoryId: 1 }, { idempotencyKey: 'the-same' })
    const first = await create('Émile')
    assert.deepEqual([await create('Émile'), await pets.get(first.id)], [first, first])
    const listed = []
    for await (const pet of pets.list({ limit: 4, status: 'sold' })) listed.push(pet)
    assert.deepEqual(
      listed.map(({ name }) => name),
      Array.from({ length: 13 }, (_, i) => `Rex "${2 * i}" \\`),
    )
    assert.ok(listed.every((pet) => pet.categoryId === categoryId && pet.status === 'sold'))
    const { pets: page, next } = await pets.list({ limit: 20 }).page()
    const { pets: rest } = await pets.list(next).page()
    assert.deepEqual([page.length, rest.length], [20, 6])
    for (const [call, code] of [
      [() => pets.get(0), 'pet_not_found'],
      [() => pets.list({ limit: 0 }).page(), 'invalid_parameter'],
      [() => pets.create({ name: '\u0000', categoryId: 1 }), 'invalid_pet'],
      [() => create('other'), 'idempotency_key_reused'],
    ] as const)
      await assert.rejects(call(), (thrown) => thrown instanceof PetApiError && thrown.code === code)
  })
})

describe('the types', () => {
  it('accept what the interface has, and no more', () => {
    const typed = async () => {
      const client = createPetClient({ baseUrl, apiKey })
      const { pets, next }: { pets: readonly Pet[]; next: string | undefined } = await client
        .list({ limit: 5 })
        .page()
      const id: bigint | undefined = pets[0]?.id
      const status: 'available' | 'pending' | 'sold' | undefined = pets[0]?.status
      // @ts-expect-error an id is no number
      const wrongId: number | undefined = pets[0]?.id
      // @ts-expect-error an animal has a category
      await client.create({ name: 'Rex' })
      // @ts-expect-error there are three statuses
      client.list({ status: 'lost' })
      // @ts-expect-error a query has no further members
      client.list({ page: 2 })
      // @ts-expect-error the key is required
      createPetClient({ baseUrl })
      return [next, id, status, wrongId]
    }
    assert.equal(typeof typed, 'function')
  })
})
