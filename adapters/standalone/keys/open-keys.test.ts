import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKeyStore, StoreUnavailableError, sha256 } from '../../../core/index.ts'
import type { KeyCount } from '../../backend/index.ts'
import type { Log } from '../log/log.ts'
import { openKeys } from './open-keys.ts'

const stored = createKeyStore([{ id: 'shelter', sha256: sha256('stored-key'), plan: 'free' }])

/** Opens keys of a storage with the given count, and records calls. */
async function open(count: KeyCount | Error) {
  const bench = { count, counted: 0, now: 1_000_000, events: [] as string[], hashes: [] as unknown[] }
  const store = {
    find(token: string, hash?: string) {
      bench.hashes.push(hash)
      return stored.find(token, hash)
    },
    async count() {
      bench.counted++
      if (bench.count instanceof Error) throw bench.count
      return bench.count
    },
  }
  const write = (event: string) => void bench.events.push(event)
  const log = { info: write, warning: write } as unknown as Log // only these methods are called
  const keys = await openKeys({ kind: 'stored', plan: { plan: 'business' } }, store, () => bench.now, log)
  return Object.assign(bench, keys)
}

describe('stored keys', () => {
  it('are used if the storage ever had a key', async () => {
    const keys = await open({ issued: 2, inForce: 1, nextExpiry: 2_000_000 })
    assert.equal(keys.generatedKey, undefined)
    assert.ok((await keys.store.find('stored-key', 'its hash')) === undefined)
    assert.ok(await keys.store.find('stored-key', sha256('stored-key')))
    assert.deepEqual(await keys.figures(), {
      issued: 2,
      inForce: 1,
      nextExpiry: 2_000_000,
      loadedAt: 1_000_000,
    })
    const ended = await open({ issued: 2, inForce: 0 })
    assert.equal(ended.generatedKey, undefined)
    assert.deepEqual([...keys.events, ...ended.events], ['keys-read', 'no-keys'])
  })

  it('are used next to a generated key', async () => {
    const keys = await open({ issued: 0, inForce: 0, fingerprint: 0 })
    const { generatedKey = '', store } = keys
    const demo = { id: 'demo', plan: 'business' }
    assert.deepEqual(await store.find(generatedKey), demo)
    assert.equal((await keys.figures()).inForce, 1)
    keys.count = { issued: 1, inForce: 1, fingerprint: 5 }
    keys.now += 3_600_000
    assert.deepEqual(await store.find('stored-key'), { id: 'shelter', plan: 'free' })
    assert.equal(await store.find('another-key'), undefined)
    assert.deepEqual(await store.find(generatedKey), demo)
    const { inForce, fingerprint } = await keys.figures()
    assert.deepEqual([inForce, fingerprint], [2, 5 + Number.parseInt(sha256(generatedKey).slice(0, 6), 16)])
    assert.deepEqual(keys.events, [])
  })

  it('are looked up without being counted', async () => {
    const keys = await open({ issued: 0, inForce: 0 })
    const { counted } = keys
    keys.now += 3_600_000
    await keys.store.find('stored-key', 'its hash')
    assert.deepEqual([keys.hashes, keys.counted], [['its hash'], counted])
  })

  it('are counted at most once a minute, and survive a failed count', async () => {
    const keys = await open({ issued: 1, inForce: 1 })
    const { counted } = keys
    const ask = () => Promise.all([keys.figures(), keys.figures()])
    keys.now += 59_999
    await ask()
    assert.equal(keys.counted, counted)
    keys.now += 1
    await ask()
    assert.equal(keys.counted, counted + 1)
    keys.now += 60_000
    keys.count = new StoreUnavailableError('away')
    assert.equal((await keys.figures()).loadedAt, 1_060_000)
    keys.count = { issued: 3, inForce: 3 }
    assert.equal((await keys.figures()).inForce, 3)
  })

  it('stop the start if they cannot be counted', async () => {
    await assert.rejects(open(new Error('permission denied for table pets_api_keys')), {
      name: 'StartError',
      message: 'cannot read the keys in the storage: permission denied for table pets_api_keys',
    })
  })
})
