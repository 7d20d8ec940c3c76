import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKeyStore, StoreUnavailable, sha256 } from '../../../core/index.ts'
import type { KeyCount } from '../../sql/key-records.ts'
import type { Log } from '../log/log.ts'
import { openStoredKeys } from './stored-keys.ts'

const stored = createKeyStore([{ id: 'shelter', sha256: sha256('stored-key'), plan: 'free' }])

/** Opens the keys of a storage whose numbers a test sets, on a clock that it moves. */
async function open(count: KeyCount | Error) {
  const bench = { count, counted: 0, now: 1_000_000, events: [] as string[] }
  const storage = {
    find: (token: string) => stored.find(token),
    async count() {
      bench.counted++
      if (bench.count instanceof Error) throw bench.count
      return bench.count
    },
  }
  const write = (event: string) => void bench.events.push(event)
  const log = { info: write, warning: write } as unknown as Log // the parts that are used
  const keys = await openStoredKeys(storage, { plan: 'business' }, () => bench.now, log)
  return Object.assign(bench, keys)
}

describe('keys in a storage', () => {
  it('exclude a key of the start if any key was issued, even if all expired', async () => {
    const keys = await open({ issued: 2, inForce: 1, nextExpiry: 2_000_000 })
    assert.equal(keys.made, undefined)
    assert.ok(await keys.store.find('stored-key'))
    assert.deepEqual(await keys.figures(), {
      issued: 2,
      inForce: 1,
      nextExpiry: 2_000_000,
      loadedAt: 1_000_000,
    })
    const ended = await open({ issued: 2, inForce: 0 })
    assert.equal(ended.made, undefined)
    assert.deepEqual([...keys.events, ...ended.events], ['keys-read', 'no-keys'])
  })

  it('end the key of the start within 5 s of the first issued one', async () => {
    const keys = await open({ issued: 0, inForce: 0 })
    const { made = '', store } = keys
    assert.deepEqual(await store.find(made), { id: 'demo', plan: 'business' })
    assert.equal((await keys.figures()).inForce, 1)
    keys.count = { issued: 1, inForce: 1 }
    assert.deepEqual(await store.find('stored-key'), { id: 'shelter', plan: 'free' })
    assert.equal(await store.find('another-key'), undefined)
    keys.now += 4999
    assert.ok(await store.find(made))
    keys.now += 1
    assert.equal(await store.find(made), undefined)
    keys.count = { issued: 0, inForce: 0 } // even if the table is emptied
    keys.now += 5000
    assert.equal(await store.find(made), undefined)
    assert.deepEqual(keys.events, ['key-ended'])
  })

  for (const [issued, freshMs] of [
    [0, 5_000],
    [1, 60_000],
  ] as const)
    it(`have a count of ${issued}, cached for ${freshMs} ms or an outage`, async () => {
      const keys = await open({ issued, inForce: issued })
      const ask = () =>
        Promise.all([keys.figures(), keys.figures(), issued || keys.store.find(keys.made ?? '')])
      keys.now += freshMs - 1
      await ask()
      assert.equal(keys.counted, 1)
      keys.now += 1
      await ask()
      assert.equal(keys.counted, 2)
      keys.now += freshMs
      keys.count = new StoreUnavailable('away')
      assert.equal((await keys.figures()).loadedAt, 1_000_000 + freshMs)
      if (keys.made) await assert.rejects(async () => keys.store.find(keys.made ?? ''), StoreUnavailable)
      keys.count = { issued: 3, inForce: 3 }
      assert.equal((await keys.figures()).inForce, 3)
    })

  it('stop the start if they cannot be read', async () => {
    await assert.rejects(open(new Error('permission denied for table pets_api_keys')), {
      name: 'StartError',
      message: 'the keys of the storage cannot be read: permission denied for table pets_api_keys',
    })
  })
})
