import assert from 'node:assert/strict'
import { type Caller, sha256 } from '../../../core/index.ts'
import { assertCaller, type KeyStoreCase } from './cases.ts'

const shelter: Caller = { id: 'shelter', plan: 'pro' }

export const findingCases: readonly KeyStoreCase[] = [
  {
    name: 'finds nothing while it has no keys',
    async run({ find }) {
      assert.equal(await find('a-first-long-api-key'), undefined)
    },
  },
  {
    name: 'finds the id and the plan of each key',
    async run({ add, find }) {
      for (const plan of ['free', 'pro', 'business'] as const) await add(`key-of-${plan}`, { id: plan, plan })
      for (const plan of ['free', 'pro', 'business'] as const)
        assertCaller(await find(`key-of-${plan}`), { id: plan, plan })
    },
  },
  {
    name: 'finds the limits of the plan enterprise exactly',
    async run({ add, find }) {
      const agreed = [
        { minute: 1, day: 1 },
        { minute: 4_999, day: 1_000_001 },
        { minute: 100_000_000, day: 100_000_000 },
      ]
      for (const limits of agreed)
        await add(`key-${limits.minute}`, { id: `large ${limits.minute}`, plan: 'enterprise', limits })
      for (const limits of agreed) {
        const found = await find(`key-${limits.minute}`)
        assertCaller(found, { id: `large ${limits.minute}`, plan: 'enterprise', limits })
      }
    },
  },
  {
    name: 'finds one caller for all keys of an id',
    async run({ add, find }) {
      const large = { id: 'large', plan: 'enterprise', limits: { minute: 7, day: 70 } } as const
      for (const token of ['old-key', 'new-key', 'newest-key']) await add(token, large)
      for (const token of ['old-key', 'new-key', 'newest-key']) assertCaller(await find(token), large)
    },
  },
  {
    name: 'finds ids of any characters as they were added',
    async run({ add, find }) {
      for (const id of [' ', '007', `O'Neill "x" \\ %_`, 'shelter\u00e9\u{1f415}', 'a'.repeat(500)]) {
        await add(`key of ${id.length}`.replaceAll(' ', '-'), { id })
        assertCaller(await find(`key-of-${id.length}`), { ...shelter, id })
      }
    },
  },
  {
    name: 'finds keys of every character of a bearer token, long ones too',
    async run({ add, find }) {
      for (const token of ['-._~+/09azAZ', 'base64==', '7', 'k'.repeat(8_000)]) {
        await add(token)
        assertCaller(await find(token), shelter)
      }
    },
  },
  {
    name: 'finds nothing for a token that is nearly a key',
    async run({ add, find }) {
      const token = 'My-first-long-api-key='
      await add(token)
      assertCaller(await find(token), shelter)
      const near = [sha256(token), token.toLowerCase(), token.slice(0, -1), `${token}=`, ` ${token}`, '%']
      const changed = Array.from(token, (_, i) => `${token.slice(0, i)}x${token.slice(i + 1)}`)
      for (const other of [...near, ...changed]) assert.equal(await find(other), undefined, other)
      assertCaller(await find(token), shelter)
    },
  },
  {
    name: 'finds each key among many tokens that are looked up at once',
    async run({ add, find }) {
      const ids = Array.from({ length: 20 }, (_, i) => `shelter-${i}`)
      for (const id of ids) await add(`key-of-${id}`, { id })
      const lookups = Array.from({ length: 600 }, async (_, i) => {
        const id = ids[i % 23]
        const found = await find(id ? `key-of-${id}` : `unknown-${i}`)
        if (id) assertCaller(found, { ...shelter, id })
        else assert.equal(found, undefined)
      })
      await Promise.all(lookups)
    },
  },
]
