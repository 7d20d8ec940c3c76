import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFetchHandler } from '../../adapters/fetch/index.ts'
import { sha256 } from '../../core/index.ts'
import { exitCode, type Profile, record, type Transcript } from '../index.ts'
import { judge } from '../judge/judge.ts'
import { createPhases } from '../steps/phases.ts'
import { createClock } from '../testing/deployments/world.ts'
import { serviceWithAnimals } from '../testing/service.ts'
import type { RunOptions } from './options.ts'
import { plan } from './plan.ts'

const options: RunOptions = { baseUrl: 'https://pets.test/v1', key: 'main-key', throttleKey: 'other-key' }

describe('a plan of requests', () => {
  it('is shorter for read than one minute of a Free key', () => {
    const { exchanges, requests, keyed, throttled, creations } = plan(options)
    const alternatives = exchanges.filter(({ id }) => id === 'get-word')
    assert.ok(requests <= 40 && requests === exchanges.length - alternatives.length)
    assert.equal(throttled, 0)
    assert.ok(keyed < 40)
    assert.deepEqual(creations, { validBodies: 0, most: 0 })
  })

  it('counts every body of create that may be accepted', () => {
    const { requests, creations, exchanges } = plan({ ...options, profile: 'create' })
    assert.ok(requests <= 80)
    assert.deepEqual(creations, { validBodies: 12, most: 24 })
    assert.ok(exchanges.some(({ body }) => body?.includes('"categoryId":9007199254740993')))
  })

  it('has the bound of the burn for exhaust, which maxRequests sets', () => {
    const burn = (maxRequests: number) =>
      plan({ ...options, profile: 'exhaust', maxRequests }).exchanges.find(({ id }) => id === 'burn')?.times
    assert.equal(plan({ ...options, profile: 'exhaust' }).throttled, 502)
    assert.deepEqual([burn(50), burn(2000)], [50, 2000])
  })

  it('has placeholders for values that a run finds out, and no key', () => {
    const { exchanges } = plan({ ...options, profile: 'all', categoryId: 12n })
    const text = JSON.stringify(exchanges)
    assert.ok(!/main-key|other-key/.test(text))
    const target = (id: string) => exchanges.find((exchange) => exchange.id === id)?.target
    assert.equal(target('get-listed'), '/pets/<listed id>')
    assert.equal(target('key-in-query'), '/pets?access_token=$PET_ADOPTION_THROTTLE_KEY')
    assert.match(exchanges.find(({ id }) => id === 'create-sold')?.body ?? '', /"categoryId":12,/)
  })

  it('states for create which requests its bound may exclude', () => {
    const { exchanges, requests, keyed } = plan({ ...options, profile: 'create' })
    const spare = exchanges.filter(({ when }) => when?.includes('if the bound of 80 requests leaves room'))
    const { first, last } = createPhases('create')
    const unkeyed = [...first, ...last].filter(({ credential }) => !/^key/.test(credential))
    assert.deepEqual([requests, keyed], [80, 80 - unkeyed.length])
    assert.deepEqual(
      spare.map(({ id }) => id),
      first.filter(({ priority }) => priority !== undefined).map(({ id }) => id),
    )
  })
})

const key = 'key-of-a-free-plan'
const throttleKey = 'key-to-burn'
const baseUrl = 'http://pets.test/v1'

/** Runs a profile against the service with a key of the Free plan that has used a number of requests already. */
async function runAfter(used: number, profile: Profile): Promise<Transcript> {
  const clock = createClock('2026-11-20T12:00:05.700Z')
  const keys = [
    { id: 'free', sha256: sha256(key), plan: 'free' },
    { id: 'burnt', sha256: sha256(throttleKey), plan: 'free' },
  ] as const
  const fetch = createFetchHandler(await serviceWithAnimals(keys, clock.now))
  for (let n = 0; n < used; n++) {
    await fetch(new Request(`${baseUrl}/pets?limit=1`, { headers: { authorization: `Bearer ${key}` } }))
  }
  return record({ baseUrl, key, throttleKey, profile, plan: 'free', clock, fetch })
}

describe('a run with a key of the Free plan', () => {
  for (const profile of ['read', 'create', 'exhaust', 'all'] as const) {
    for (const used of [0, 58, 60]) {
      it(`completes ${profile} after ${used} used requests`, async () => {
        const transcript = await runAfter(used, profile)
        const report = judge(transcript)
        const objections = report.rules.filter(({ verdict }) => /^(fail|warn)$/.test(verdict))
        assert.deepEqual([objections, transcript.endedEarly], [[], undefined])
        assert.equal(exitCode(report), 0)
        const waited = (transcript.waits ?? []).reduce((sum, { ms }) => sum + ms, 0)
        const most = used === 0 && profile === 'read' ? 0 : 130_000
        assert.ok(waited <= most, `it waited ${waited} ms`)
      })
    }
  }
})
