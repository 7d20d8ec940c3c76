import assert from 'node:assert/strict'
import { stubStore } from '../../../core/testing/stub-store.ts'
import type { Runner } from '../exchange.ts'
import { json, type Mount, type Received, type Send } from '../exchange.ts'
import { addition, auth, open } from './open.ts'

const list = (query = '') => ({ target: `/v1/pets${query}`, headers: [auth.zoo] })
const fetched = (id: string) => ({ target: `/v1/pets/${id}`, headers: [auth.zoo] })

const int64s = ['-1', '9007199254740993', '9223372036854775807', '-9223372036854775808']

/** Sections 4 and 9 of the interface: the three operations. */
export function operationsSuite(mount: Mount, { describe, it }: Runner): void {
  describe('the operations', () => {
    it('create, return and list an animal', async (t) => {
      const send = await open(t, mount)
      const text = '{"id":1,"name":"Rex 🐈","categoryId":7,"status":"pending"}'
      const added = await send(addition('{"name":"Rex 🐈","categoryId":7,"status":"pending"}'))
      assert.deepEqual([added.status, added.text], [201, text])
      const found = await send(fetched('1'))
      assert.deepEqual([found.status, found.text], [200, text])
      const listed = await send(list())
      assert.deepEqual([listed.status, listed.text], [200, `[${text}]`])
    })

    it('preserve every digit of an int64', async (t) => {
      const send = await open(t, mount)
      const texts = int64s.map(
        (category, i) => `{"id":${i + 1},"name":"n","categoryId":${category},"status":"sold"}`,
      )
      for (const [i, category] of int64s.entries()) {
        const added = await send(addition(`{"name":"n","categoryId":${category},"status":"sold"}`))
        assert.equal(added.text, texts[i])
        assert.equal((await send(fetched(`${i + 1}`))).text, texts[i])
      }
      assert.equal((await send(list('?status=sold'))).text, `[${texts.join(',')}]`)
    })

    it('assign ids themselves, and ignore those of the body', async (t) => {
      const send = await open(t, mount)
      for (const id of [1, 2, 3]) {
        const added = await send(addition('{"id":99,"name":"Rex","categoryId":1,"owner":{"id":5}}'))
        assert.equal(added.text, `{"id":${id},"name":"Rex","categoryId":1,"status":"available"}`)
      }
    })

    it('leave an animal without a status where that is the default', async (t) => {
      const send = await open(t, mount, { defaultStatus: null })
      assert.equal(
        (await send(addition('{"name":"Rex","categoryId":1}'))).text,
        '{"id":1,"name":"Rex","categoryId":1}',
      )
      assert.equal((await send(list('?status=available'))).text, '[]')
    })

    it('list 20 animals by default, and link to every other one once', async (t) => {
      const send = await open(t, mount)
      await fill(send, 45)
      const first = await send(list())
      assert.equal(json<[]>(first).length, 20)
      assert.equal(first.headers.get('link'), '</v1/pets?limit=20&after=20>; rel="next"')
      assert.deepEqual(await walk(send, '/v1/pets'), range(1, 45))
      assert.deepEqual(await walk(send, '/v1/pets?limit=7'), range(1, 45))
      assert.deepEqual(
        await walk(send, '/v1/pets?status=sold&limit=4'),
        range(1, 45).filter((id) => id % 3 === 0),
      )
      assert.deepEqual(await walk(send, '/v1/pets?after=40&limit=2'), range(41, 45))
    })

    it('respond to HEAD where they respond to GET, with the same headers', async (t) => {
      const send = await open(t, mount)
      await fill(send, 25)
      for (const target of [
        '/v1/pets?limit=3',
        '/v1/pets',
        '/v1/pets/7',
        '/v1/pets/99',
        '/v1/pets?limit=0',
      ]) {
        const [got, headed] = [
          await send({ target, headers: [auth.zoo] }),
          await send({ method: 'HEAD', target, headers: [auth.zoo] }),
        ]
        assert.equal(headed.status, got.status)
        const length = headed.headers.get('content-length')
        assert.equal(length, String(Buffer.byteLength(got.text)), target)
        assert.deepEqual(stable(headed), stable(got))
      }
    })

    it('mark every response of getPet as deprecated, and no other one', async (t) => {
      const send = await open(t, mount, { store: brokenOnce() })
      const marked: readonly (readonly [number, Parameters<Send>[0]])[] = [
        [500, fetched('1')],
        [404, fetched('1')],
        [404, fetched('x')],
        [401, { target: '/v1/pets/1' }],
        [429, { target: '/v1/pets/1', headers: [auth.small] }],
      ]
      for (let i = 0; i < 2; i++) await send({ headers: [auth.small] })
      for (const [status, sent] of marked) {
        const response = await send(sent)
        assert.equal(response.status, status)
        assert.equal(response.headers.get('deprecation'), '@1795132800')
        assert.equal(response.headers.get('sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT')
        assert.equal(response.headers.get('link'), '</v1/pets>; rel="successor-version"')
      }
      for (const sent of [
        list(),
        addition('{}'),
        { method: 'PUT', target: '/v1/pets/1', headers: [auth.zoo] },
      ]) {
        const { headers } = await send(sent)
        assert.ok(!headers.has('deprecation') && !headers.has('sunset'))
      }
    })

    for (const basePath of ['', '/zoo/v1']) {
      it(`are below the base path "${basePath}"`, async (t) => {
        const send = await open(t, mount, { basePath })
        const added = await send({ ...addition('{"name":"Rex","categoryId":1}'), target: `${basePath}/pets` })
        assert.equal(added.status, 201)
        const { headers } = await send({ target: `${basePath}/pets/1`, headers: [auth.zoo] })
        assert.equal(headers.get('link'), `<${basePath}/pets>; rel="successor-version"`)
        assert.equal((await send({ target: '/v1/pets', headers: [auth.zoo] })).status, 404)
      })
    }
  })
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** Creates `count` animals. Every third is sold. */
async function fill(send: Send, count: number): Promise<void> {
  for (const id of range(1, count)) {
    await send(addition(`{"name":"n${id}","categoryId":1,"status":"${id % 3 === 0 ? 'sold' : 'available'}"}`))
  }
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

/** A store without animals whose first `get` fails. */
function brokenOnce() {
  let calls = 0
  return stubStore({
    get: () => {
      if (calls++ === 0) throw new Error('broken once')
      return undefined
    },
  })
}
