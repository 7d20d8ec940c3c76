import assert from 'node:assert/strict'
import { throwError } from '../../../core/testing/service-request.ts'
import { createStubStore } from '../../../core/testing/stub-store.ts'
import {
  type Mount,
  parseJsonText,
  type Send,
  type SentRequest,
  type TestResponse,
  type TestRunner,
} from '../exchange.ts'
import { authHeaders, openMount, rex, toCreateRequest } from './open-mount.ts'

const listPets = (query = ''): SentRequest => ({ target: `/v1/pets${query}`, headers: [authHeaders.zoo] })
const getPet = (id: string): SentRequest => ({ target: `/v1/pets/${id}`, headers: [authHeaders.zoo] })

const categories = ['-1', '9007199254740993', '9223372036854775807', '-9223372036854775808']

/** Requests to getPet while the store fails, with each response's status. */
const getPetResponses: readonly (readonly [status: number, sent: SentRequest])[] = [
  [500, getPet('1')],
  [404, getPet('x')],
  [401, { target: '/v1/pets/1' }],
  [429, { target: '/v1/pets/1', headers: [authHeaders.small] }],
]

/** Declares tests for the operations (interface, sections 4 and 9). */
export function testOperations(mount: Mount, { describe, it }: TestRunner): void {
  describe('the operations', () => {
    it('preserve every digit and every character of an animal', async (t) => {
      const sendRequest = await openMount(t, mount)
      const petTexts: string[] = []
      for (const [i, category] of categories.entries()) {
        const pet = `"name":"Rex 🐈","categoryId":${category},"status":"sold"}`
        petTexts.push(`{"id":${i + 1},${pet}`)
        const creationResponse = await sendRequest(toCreateRequest(`{"id":99,${pet}`)) // the service ignores the id
        assert.deepEqual([creationResponse.status, creationResponse.text], [201, petTexts[i]])
        const foundResponse = await sendRequest(getPet(`${i + 1}`))
        assert.deepEqual([foundResponse.status, foundResponse.text], [200, petTexts[i]])
      }
      const listResponse = await sendRequest(listPets('?status=sold'))
      assert.deepEqual([listResponse.status, listResponse.text], [200, `[${petTexts.join(',')}]`])
    })

    it('create an animal without a status if the default is null', async (t) => {
      const sendRequest = await openMount(t, mount, { defaultStatus: null })
      assert.equal((await sendRequest(toCreateRequest(rex))).text, '{"id":1,"name":"Rex","categoryId":1}')
      assert.equal((await sendRequest(listPets('?status=available'))).text, '[]')
    })

    it('list 20 animals per page, with links to all pages', async (t) => {
      const sendRequest = await openMount(t, mount)
      await createPets(sendRequest, 45)
      const firstPage = await sendRequest(listPets())
      assert.equal(parseJsonText<[]>(firstPage).length, 20)
      assert.equal(firstPage.headers.get('link'), '</v1/pets?limit=20&after=20>; rel="next"')
      const soldIds = listIntegers(1, 45).filter((id) => id % 3 === 0)
      for (const [query, ids] of [
        ['', listIntegers(1, 45)],
        ['?limit=7', listIntegers(1, 45)],
        ['?status=sold&limit=4', soldIds],
        ['?after=40&limit=2', listIntegers(41, 45)],
      ] as const)
        assert.deepEqual(await collectIds(sendRequest, `/v1/pets${query}`), ids)
    })

    it('respond to HEAD with the same headers as to GET', async (t) => {
      const sendRequest = await openMount(t, mount)
      await createPets(sendRequest, 25)
      for (const path of ['/pets', '/pets?limit=3', '/pets/7', '/pets/99', '/pets?limit=0', '/nothing']) {
        const sentRequest = { target: `/v1${path}`, headers: [authHeaders.zoo] }
        const [got, headed] = [
          await sendRequest(sentRequest),
          await sendRequest({ ...sentRequest, method: 'HEAD' }),
        ]
        assert.equal(headed.status, got.status)
        assert.equal(headed.headers.get('content-length'), String(Buffer.byteLength(got.text)), path)
        assert.deepEqual(pickStableHeaders(headed), pickStableHeaders(got))
      }
    })

    it('mark only getPet as deprecated', async (t) => {
      const sendRequest = await openMount(t, mount, {
        store: createStubStore({ get: () => throwError('disk') }),
      })
      for (let i = 0; i < 2; i++) await sendRequest({ headers: [authHeaders.small] })
      for (const [status, sent] of getPetResponses) {
        const response = await sendRequest(sent)
        assert.equal(response.status, status)
        assert.equal(response.headers.get('deprecation'), '@1795132800')
        assert.equal(response.headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
        assert.equal(response.headers.get('link'), '</v1/pets>; rel="successor-version"')
      }
      for (const sent of [listPets(), toCreateRequest('{}'), { ...getPet('1'), method: 'PUT' }])
        assert.ok(!(await sendRequest(sent)).headers.has('deprecation'))
    })

    for (const basePath of ['', '/zoo/v1']) {
      it(`respond below the base path "${basePath}"`, async (t) => {
        const sendRequest = await openMount(t, mount, { basePath })
        assert.equal((await sendRequest({ ...toCreateRequest(rex), target: `${basePath}/pets` })).status, 201)
        const { headers } = await sendRequest({ target: `${basePath}/pets/1`, headers: [authHeaders.zoo] })
        assert.equal(headers.get('link'), `<${basePath}/pets>; rel="successor-version"`)
        assert.equal((await sendRequest(listPets())).status, 404)
      })
    }
  })
}

const listIntegers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** Creates animals. Every third is sold. */
async function createPets(send: Send, count: number): Promise<void> {
  for (const id of listIntegers(1, count))
    await send(
      toCreateRequest(`{"name":"n${id}","categoryId":1,"status":"${id % 3 === 0 ? 'sold' : 'available'}"}`),
    )
}

/** Follows the links from page to page, and returns the ids. */
async function collectIds(send: Send, first: string): Promise<readonly number[]> {
  const collectedIds: number[] = []
  for (let target: string | undefined = first; target; ) {
    const page: TestResponse = await send({ target, headers: [authHeaders.zoo] })
    collectedIds.push(...parseJsonText<{ id: number }[]>(page).map(({ id }) => id))
    target = /^<([^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
  }
  return collectedIds
}

/** Returns the headers that do not change from response to response. */
function pickStableHeaders({ headers }: TestResponse): Readonly<Record<string, string>> {
  const varyingHeaders = new Set([
    'date',
    'x-ratelimit-remaining',
    'content-length',
    'connection',
    'keep-alive',
  ])
  return Object.fromEntries([...headers].filter(([name]) => !varyingHeaders.has(name)))
}
