import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import { createTestFetch } from '../fetch/index.ts'
import { createTestService } from '../testing/mount-suite/open-mount.ts'
import { createPetClient, type Pet, type PetClientOptions } from './index.ts'
import {
  apiKey,
  baseUrl,
  createScriptedClient,
  isApiError,
  newRex,
  type Responder,
  rex,
  sendJson,
} from './testing/scripted-client.ts'

const formatPets = (id: number) => `[{"id":${id},"name":"Rex","categoryId":7}]`
const respondWithLink = (id: number, link: string): Responder => sendJson(200, formatPets(id), { Link: link })
const isInvalidResponse = (message: RegExp) => isApiError('invalid_response', message)

async function listIds(pets: AsyncIterable<Pet>): Promise<readonly bigint[]> {
  const listedIds: bigint[] = []
  for await (const { id } of pets) listedIds.push(id)
  return listedIds
}

describe('a list of animals', () => {
  it('follows links to the next page, and starts over for each iteration', async () => {
    const responders = [
      respondWithLink(1, '</v1/pets?after=1>; rel="next"'),
      respondWithLink(2, `<${baseUrl}/pets?after=2>; rel=next, </v1>; rel="up"`),
      sendJson(200, formatPets(3)),
    ]
    const { client, requests } = createScriptedClient(responders, { baseUrl: new URL(`${baseUrl}/`) })
    const pets = client.list({ limit: 1, status: 'sold', after: 0n })
    assert.deepEqual([await listIds(pets), await listIds(pets)], [[1n, 2n, 3n], [3n]])
    const firstTarget = '/pets?limit=1&status=sold&after=0'
    assert.deepEqual(
      requests.map(({ request }) => request.url.replace(baseUrl, '')),
      [firstTarget, '/pets?after=1', '/pets?after=2', firstTarget],
    )
  })

  for (const [what, ...links] of [
    ['another origin', '<https://elsewhere.example/v1/pets?after=1>; rel="next"'],
    ['another path', '</v1/pets/1>; rel="next"'],
    ['the page itself', '</v1/pets>; rel="next"'],
    ['the page itself with a fragment', '<#again>; rel="next"'],
    ['an earlier page', ...[1, 2, 1].map((id) => `<?after=${id}>; rel="next"`)],
  ] as const) {
    it(`rejects a next link to ${what}`, async () => {
      const { client, listPets, requests } = createScriptedClient(
        links.map((link, i) => respondWithLink(i, link)),
      )
      await assert.rejects(
        listIds(client.list()),
        isInvalidResponse(/the rel="next" link must be another page of the list/),
      )
      assert.equal(requests.length, links.length)
      if (links.length === 1) await assert.rejects(listPets(), isInvalidResponse(/rel="next"/))
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
    it(`finds the next page ${next} in the Link header ${link}`, async () => {
      const firstPage = await createScriptedClient([respondWithLink(1, link ?? '')]).listPets()
      assert.deepEqual([firstPage.pets[0]?.id, firstPage.next], [1n, next && `${baseUrl}/pets${next}`])
    })
})

describe('int64 members in an animal', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

  it('are sent and returned with all their digits', async () => {
    await fc.assert(
      fc.asyncProperty(int64, int64, async (id, categoryId) => {
        const body = `{"id":${id},"name":"Rex","categoryId":${categoryId}}`
        const { client, requests } = createScriptedClient([sendJson(201, body), sendJson(200, body)])
        const createdPet = await client.create({ name: 'Rex', tags: ['x'], none: undefined, categoryId })
        assert.deepEqual(createdPet, { id, name: 'Rex', categoryId })
        const expectedBody = `{"name":"Rex","tags":["x"],"categoryId":${categoryId}}`
        assert.equal(await requests[0]?.request.text(), expectedBody)
        await client.get(id)
        assert.equal(requests[1]?.request.url, `${baseUrl}/pets/${id}`)
      }),
      { numRuns: 50 },
    )
  })

  const outOfRangeNumbers = ['9223372036854775808', '-9223372036854775809', '1e19', '1e999999999']
  const fractionLiterals = ['1.5', '4503599627370497.5', '1.00000000000000000001', '1e-1']
  for (const [text, value] of [
    ['7.0', 7n],
    ['1e3', 1000n],
    ['-0', 0n],
    ['0.0e9', 0n],
    ['12.50E+1', 125n],
    ['9223372036854775807.000', 2n ** 63n - 1n],
    ['922337203685477580700e-2', 2n ** 63n - 1n],
    ...[...outOfRangeNumbers, ...fractionLiterals, '"7"', 'null'].map((text) => [text, undefined] as const),
  ] as const)
    it(`parse ${text} as ${value ?? 'no integer'}`, async () => {
      const readingClient = createScriptedClient([
        sendJson(200, `{"name":"Rex","categoryId":1,"id":${text}}`),
      ]).client.get(1)
      if (value === undefined) await assert.rejects(readingClient, isInvalidResponse(/pet\.id/))
      else assert.equal((await readingClient).id, value)
    })

  it('are parsed even with millions of zeros', async () => {
    const zeroDigits = '0'.repeat(4_000_000)
    for (const [text, value] of [
      [`7.${zeroDigits}`, 7n],
      [`7${zeroDigits}e-4000000`, 7n],
      [`7.${zeroDigits}1`, undefined],
      [`7${zeroDigits}`, undefined],
    ] as const) {
      const readingClient = createScriptedClient([
        sendJson(200, `{"name":"Rex","categoryId":1,"id":${text}}`),
      ]).client.get(1)
      if (value === undefined) await assert.rejects(readingClient, isInvalidResponse(/pet\.id/))
      else assert.equal((await readingClient).id, value)
    }
  })

  it('are sent exactly in nested members too', async () => {
    const { client, requests } = createScriptedClient([sendJson(201, rex)])
    await client.create({ name: 'Rex', parents: [2n ** 60n], categoryId: 7 })
    assert.equal(await requests[0]?.request.text(), `{"name":"Rex","parents":[${2n ** 60n}],"categoryId":7}`)
  })

  it('are read from the last member if a name is repeated', async () => {
    const name = 'a\\\\\\" , \\"id\\":1, \\u0022'
    const body = `{"id":1, "inner":{"id":5,"x":[1.5,2e2]}, "name":"${name}", "categoryId" : 9007199254740993,"id":9007199254740995}`
    assert.deepEqual(await createScriptedClient([sendJson(200, body)]).client.get(1), {
      id: 9007199254740995n,
      inner: { id: 5, x: [1.5, 200] },
      name: JSON.parse(`"${name}"`),
      categoryId: 9007199254740993n,
    })
  })
})

describe('a response body', () => {
  it('keeps members that the interface does not define', async () => {
    const { client } = createScriptedClient([
      sendJson(200, '{"id":1,"name":"Rex","categoryId":7,"status":"sold","tags":["x",1],"__proto__":2}'),
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
    ['{}', /must be an array/],
    ['', /must be an array/],
    ['<html>', /must be an array/],
    ['[{"id":1', /must be an array/],
    [new Uint8Array([0x5b, 0xff, 0x5d]), /must be an array/], // invalid UTF-8
  ] as const) {
    it(`is rejected if it is not a valid list: ${body}`, async () => {
      const { listPets, requests } = createScriptedClient([() => new Response(body)])
      await assert.rejects(listPets(), isInvalidResponse(where))
      assert.equal(requests.length, 1)
    })
  }

  it('may begin with a byte order mark', async () => {
    const { listPets } = createScriptedClient([() => new Response(`\uFEFF${formatPets(1)}`)])
    assert.equal((await listPets()).pets[0]?.id, 1n)
  })

  it('is read up to a limit', async () => {
    let chunks = 0
    const pull = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new Uint8Array(2 ** 20).fill(++chunks && 32))
    const { listPets } = createScriptedClient([() => new Response(new ReadableStream({ pull }))])
    await assert.rejects(listPets(), isInvalidResponse(/must be an array/))
    assert.ok(chunks <= 9, `${chunks} MiB`) // 8 MiB, and one more chunk in the stream's buffer
  })
})

describe('an invalid argument to the client', () => {
  const { client, requests } = createScriptedClient([sendJson(200, rex)])
  const toInvalidValue = (value: unknown) => value as never // TypeScript would reject the value
  const calls: Readonly<Record<string, () => unknown>> = {
    'query.limit must be a number': () => client.list({ limit: toInvalidValue('20') }),
    'query.status must be "available", "pending" or "sold"': () =>
      client.list({ status: toInvalidValue(['sold']) }),
    'query.after must be an int64': () => client.list({ after: 2 ** 53 }),
    // @ts-expect-error a query has no further members
    'unknown option "query.page"; expected one of limit, status, after': () => client.list({ page: 2 }),
    // @ts-expect-error the signal is an option of the call
    'unknown option "query.signal"; expected one of limit, status, after': () => client.list({ signal: 1 }),
    'query must be a link to a page': () => client.list('https://elsewhere.example/v1/pets'),
    'options.signal must be an AbortSignal': () => client.list({}, { signal: toInvalidValue({}) }),
    'unknown option "options.idempotencyKey"; expected one of signal': () =>
      // @ts-expect-error a list has no key
      client.list({}, { idempotencyKey: 'x' }),
    // @ts-expect-error an animal has a name
    'newPet.name is missing': () => client.create({ categoryId: 7 }),
    'newPet.categoryId must be an int64': () => client.create({ name: 'Rex', categoryId: 2n ** 63n }),
    'newPet.status must be "available", "pending" or "sold"': () =>
      // @ts-expect-error there are three statuses
      client.create({ ...newRex, status: null }),
    'newPet must be an object': () => client.create(toInvalidValue(undefined)),
    'options.idempotencyKey must be 1 to 255 visible ASCII characters except " and \\': () =>
      client.create(newRex, { idempotencyKey: '"x"' }),
    'options must be an object': () => client.list({}, toInvalidValue(5)),
    'query must be an object': () => client.list(toInvalidValue(5)),
    'pet.id must be an int64': () => client.get(1.5),
    'pet.id is missing': () => client.get(toInvalidValue(undefined)),
  }
  for (const [message, call] of Object.entries(calls)) {
    it(message, async () => {
      await assert.rejects(async () => call(), { name: 'TypeError', message })
      assert.equal(requests.length, 0)
    })
  }

  const otherOptions =
    'fetch, waitForReset, maxWaitMs, maxRetries, timeoutMs, idempotency, onDeprecation, onRetry, clock, sleep, random'
  const invalidUrl = 'must be an HTTP URL without credentials, query or fragment'
  for (const [name, problem, ...values] of [
    ['baseUrl', 'is missing', undefined],
    ['baseUrl', invalidUrl, '/v1', 'ftp://pets.example/v1', `${baseUrl}?x`, `${baseUrl}#x`],
    ['baseUrl', invalidUrl, new URL('https://me@pets.example/v1'), 'https://:x@pets.example'],
    ['baseUrl', invalidUrl, [baseUrl], 'http://[x', null],
    ['apiKey', 'is missing', undefined],
    ['apiKey', 'must be a string of visible ASCII characters', `${apiKey}\n`, 'schlüssel', ''],
    ['maxWaitMs', 'must be a non-negative integer', -1, 2 ** 53],
    ['maxRetries', 'must be a non-negative integer', 1.5],
    ['timeoutMs', 'must be a non-negative integer', -1],
    ['waitForReset', 'must be a boolean', 'yes'],
    ['onRetry', 'must be a function', null],
  ] as const)
    it(`is rejected because ${name} ${problem} (${values.join(', ')})`, () => {
      const message = `options.${name} ${problem}`
      for (const value of values) {
        const options = { baseUrl, apiKey, [`${name}`]: value } as unknown as PetClientOptions // TypeScript would reject the value
        assert.throws(() => createPetClient(options), { name: 'TypeError', message })
      }
    })

  it('is rejected: unknown option "options.maxwait"', () => {
    const message = `unknown option "options.maxwait"; expected one of baseUrl, apiKey, ${otherOptions}`
    // @ts-expect-error it is maxWaitMs
    assert.throws(() => createPetClient({ baseUrl, apiKey, maxwait: 1 }), { name: 'TypeError', message })
  })

  it('is rejected: no options', () => {
    const message = 'options.baseUrl is missing'
    assert.throws(() => createPetClient(toInvalidValue(undefined)), { name: 'TypeError', message })
  })
})

it('a client ignores undefined members and options', async () => {
  const { client, requests } = createScriptedClient([sendJson(201, rex), sendJson(200, '[]')])
  const parsedPet: { name: string; categoryId: bigint; status?: 'sold' | undefined } = {
    name: 'Rex',
    categoryId: 7n,
    status: undefined,
  }
  await client.create(parsedPet, { signal: undefined, idempotencyKey: undefined })
  await client.list({ limit: undefined, status: undefined, after: undefined }).page()
  assert.equal(await requests[0]?.request.text(), '{"name":"Rex","categoryId":7}')
  assert.equal(requests[1]?.request.url, `${baseUrl}/pets`)
})

it('a client works without URL.canParse', async (t) => {
  const { canParse } = URL
  t.after(() => Object.assign(URL, { canParse }))
  Object.assign(URL, { canParse: undefined })
  const { client } = createScriptedClient([
    respondWithLink(1, '<?after=1>; rel="next"'),
    sendJson(200, formatPets(2)),
  ])
  assert.deepEqual(await listIds(client.list()), [1n, 2n])
})

it('a client creates and lists animals in a service from createPetService', async () => {
  const fetch = createTestFetch(createTestService({}))
  const pets = createPetClient({ baseUrl, apiKey: 'zoo-key', onDeprecation() {}, fetch })
  const categoryId = 2n ** 63n - 1n
  const newPets = Array.from({ length: 25 }, (_, i) => {
    const status = i % 2 === 0 ? 'sold' : 'pending'
    return { name: `Rex "${i}" \\`, categoryId, status } as const
  })
  for (const newPet of newPets) await pets.create(newPet)
  const createPet = (name: string) => pets.create({ name, categoryId: 1 }, { idempotencyKey: 'the-same' })
  const firstPet = await createPet('Émile')
  assert.deepEqual([await createPet('Émile'), await pets.get(firstPet.id)], [firstPet, firstPet])
  const soldPets: Pet[] = []
  for await (const pet of pets.list({ limit: 4, status: 'sold' })) soldPets.push(pet)
  assert.deepEqual(
    soldPets.map(({ id: _, ...pet }) => pet),
    newPets.filter(({ status }) => status === 'sold'),
  )
  const { pets: page, next } = await pets.list({ limit: 20 }).page()
  assert.deepEqual([page.length, (await pets.list(next).page()).pets.length], [20, 6])
  for (const [call, code, status] of [
    [() => pets.get(0), 'pet_not_found', 404],
    [() => pets.list({ limit: 0 }).page(), 'invalid_parameter', 400],
    [() => pets.create({ name: '\u0000', categoryId: 1 }), 'invalid_pet', 400],
    [() => createPet('other'), 'idempotency_key_reused', 422],
  ] as const)
    await assert.rejects(call(), isApiError(code, status))
})
