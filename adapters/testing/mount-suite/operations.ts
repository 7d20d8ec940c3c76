import assert from 'node:assert/strict'
import { fail } from '../../../core/testing/service-request.ts'
import { stubStore } from '../../../core/testing/stub-store.ts'
import { json, type Mount, type Received, type Runner, type Send, type Sent } from '../exchange.ts'
import { auth, creation, open, rex } from './open.ts'

const list = (query = ''): Sent => ({ target: `/v1/pets${query}`, headers: [auth.zoo] })
const fetched = (id: string): Sent => ({ target: `/v1/pets/${id}`, headers: [auth.zoo] })

const categories = ['-1', '9007199254740993', '9223372036854775807', '-9223372036854775808']

/** Requests of getPet whose responses have these statuses, while the store fails. */
const ofGetPet: readonly (readonly [status: number, sent: Sent])[] = [
  [500, fetched('1')],
  [404, fetched('x')],
  [401, { target: '/v1/pets/1' }],
  [429, { target: '/v1/pets/1', headers: [auth.small] }],
]

/** Sections 4 and 9 of the interface: the three operations. */
export function operationsSuite(mount: Mount, { describe, it }: Runner): void {
  describe('the operations', () => {
    it('keep every digit of an int64 and every character', async (t) => {
      const send = await open(t, mount)
      const texts: string[] = []
      for (const [i, category] of categories.entries()) {
        const pet = `"name":"Rex 🐈","categoryId":${category},"status":"sold"}`
        texts.push(`{"id":${i + 1},${pet}`)
        const added = await send(creation(`{"id":99,${pet}`)) // the service assigns ids
        assert.deepEqual([added.status, added.text], [201, texts[i]])
        const found = await send(fetched(`${i + 1}`))
        assert.deepEqual([found.status, found.text], [200, texts[i]])
      }
      const listed = await send(list('?status=sold'))
      assert.deepEqual([listed.status, listed.text], [200, `[${texts.join(',')}]`])
    })

    it('create an animal without a status if that is the default', async (t) => {
      const send = await open(t, mount, { defaultStatus: null })
      assert.equal((await send(creation(rex))).text, '{"id":1,"name":"Rex","categoryId":1}')
      assert.equal((await send(list('?status=available'))).text, '[]')
    })

    it('list 20 animals by default, and link to every other one once', async (t) => {
      const send = await open(t, mount)
      await fill(send, 45)
      const first = await send(list())
      assert.equal(json<[]>(first).length, 20)
      assert.equal(first.headers.get('link'), '</v1/pets?limit=20&after=20>; rel="next"')
      const sold = range(1, 45).filter((id) => id % 3 === 0)
      for (const [query, ids] of [
        ['', range(1, 45)],
        ['?limit=7', range(1, 45)],
        ['?status=sold&limit=4', sold],
        ['?after=40&limit=2', range(41, 45)],
      ] as const)
        assert.deepEqual(await walk(send, `/v1/pets${query}`), ids)
    })

    it('respond to HEAD with the headers of GET', async (t) => {
      const send = await open(t, mount)
      await fill(send, 25)
      for (const path of ['/pets', '/pets?limit=3', '/pets/7', '/pets/99', '/pets?limit=0', '/nothing']) {
        const sent = { target: `/v1${path}`, headers: [auth.zoo] }
        const [got, headed] = [await send(sent), await send({ ...sent, method: 'HEAD' })]
        assert.equal(headed.status, got.status)
        assert.equal(headed.headers.get('content-length'), String(Buffer.byteLength(got.text)), path)
        assert.deepEqual(stable(headed), stable(got))
      }
    })

    it('mark only responses of getPet as deprecated', async (t) => {
      const send = await open(t, mount, { store: stubStore({ get: () => fail('disk') }) })
      for (let i = 0; i < 2; i++) await send({ headers: [auth.small] })
      for (const [status, sent] of ofGetPet) {
        const response = await send(sent)
        assert.equal(response.status, status)
        assert.equal(response.headers.get('deprecation'), '@1795132800')
        assert.equal(response.headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
        assert.equal(response.headers.get('link'), '</v1/pets>; rel="successor-version"')
      }
      for (const sent of [list(), creation('{}'), { ...fetched('1'), method: 'PUT' }])
        assert.ok(!(await send(sent)).headers.has('deprecation'))
    })

    for (const basePath of ['', '/zoo/v1']) {
      it(`are below the base path "${basePath}"`, async (t) => {
        const send = await open(t, mount, { basePath })
        assert.equal((await send({ ...creation(rex), target: `${basePath}/pets` })).status, 201)
        const { headers } = await send({ target: `${basePath}/pets/1`, headers: [auth.zoo] })
        assert.equal(headers.get('link'), `<${basePath}/pets>; rel="successor-version"`)
        assert.equal((await send(list())).status, 404)
      })
    }
  })
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** Creates `count` animals. Every third is sold. */
async function fill(send: Send, count: number): Promise<void> {
  for (const id of range(1, count))
    await send(creation(`{"name":"n${id}","categoryId":1,"status":"${id % 3 === 0 ? 'sold' : 'available'}"}`))
}

/** Returns the ids on a page and on all pages that follow by links. */
async function walk(send: Send, first: string): Promise<readonly number[]> {
  const ids: number[] = []
  for (let target: string | undefined = first; target; ) {
    const page: Received = await send({ target, headers: [auth.zoo] })
    ids.push(...json<{ id: number }[]>(page).map(({ id }) => id))
    target = /^<([^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
  }
  return ids
}

/** Returns the headers that two responses to the same request share. */
function stable({ headers }: Received): Readonly<Record<string, string>> {
  const changing = new Set(['date', 'x-ratelimit-remaining', 'content-length', 'connection', 'keep-alive'])
  return Object.fromEntries([...headers].filter(([name]) => !changing.has(name)))
}
