import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFetchHandler } from '../../adapters/fetch/index.ts'
import { sha256 } from '../../core/index.ts'
import { exitCode, type Profile, record, type Transcript } from '../index.ts'
import { judge } from '../judge/judge.ts'
import { createPhases } from '../steps/phases.ts'
import { createClock } from '../testing/deployments/world.ts'
import { createServiceWithAnimals } from '../testing/service.ts'
import type { RunOptions } from './options.ts'
import { plan } from './plan.ts'

const options: RunOptions = { baseUrl: 'https://pets.test/v1', apiKey: 'main-key', throttleKey: 'other-key' }

describe('plan', () => {
  it('sends at most 40 requests and creates nothing with read', () => {
    const { exchanges, requests, keyed, throttled, creations } = plan(options)
    const alternatives = exchanges.filter(({ id }) => id === 'get-word')
    assert.ok(requests <= 40 && requests === exchanges.length - alternatives.length)
    assert.equal(throttled, 0)
    assert.ok(keyed < 40)
    assert.deepEqual(creations, { validBodies: 0, most: 0 })
  })

  it('sends at most 80 requests and creates at most 23 animals with create', () => {
    const { requests, creations, exchanges } = plan({ ...options, profile: 'create' })
    assert.ok(requests <= 80)
    assert.deepEqual(creations, { validBodies: 11, most: 23 })
    assert.ok(exchanges.some(({ body }) => body?.includes('"categoryId":9007199254740993')))
  })

  it('limits the requests with the throttle key by --max-requests', () => {
    const burnSteps = (maxRequests: number) =>
      plan({ ...options, profile: 'exhaust', maxRequests }).exchanges.find(({ id }) => id === 'burn')?.times
    assert.equal(plan({ ...options, profile: 'exhaust' }).throttled, 502)
    assert.deepEqual([burnSteps(50), burnSteps(2000)], [50, 2000])
  })

  it('shows placeholders instead of keys and listed IDs', () => {
    const { exchanges } = plan({ ...options, profile: 'all', categoryId: 12n })
    const planText = JSON.stringify(exchanges)
    assert.ok(!/main-key|other-key/.test(planText))
    const findTarget = (id: string) => exchanges.find((exchange) => exchange.id === id)?.target
    assert.equal(findTarget('get-listed'), '/pets/<listed id>')
    assert.equal(findTarget('key-in-query'), '/pets?access_token=$PET_ADOPTION_THROTTLE_KEY')
    assert.match(exchanges.find(({ id }) => id === 'create-sold')?.body ?? '', /"categoryId":12,/)
  })

  it('drops low-priority requests if there are more than 80', () => {
    const { exchanges, requests, keyed } = plan({ ...options, profile: 'create' })
    const spare = exchanges.filter(({ when }) => when?.includes('if the limit of 80 requests allows it'))
    const { beforeBurn, afterBurn } = createPhases('create')
    const unkeyed = [...beforeBurn, ...afterBurn].filter(
      ({ credential, priority }) => !/^key/.test(credential) && priority === undefined,
    )
    assert.deepEqual([requests, keyed], [80, 80 - unkeyed.length])
    assert.deepEqual(
      spare.map(({ id }) => id),
      beforeBurn.filter(({ priority }) => priority !== undefined).map(({ id }) => id),
    )
  })
})

const key = 'key-of-a-free-plan'
const throttleKey = 'key-to-burn'
const baseUrl = 'http://pets.test/v1'

/** Runs the suite against a Free key that has already sent `used` requests in this minute. */
async function runAfter(used: number, profile: Profile): Promise<Transcript> {
  const clock = createClock('2026-11-20T12:00:05.700Z')
  const serviceKeys = [
    { id: 'free', sha256: sha256(key), plan: 'free' },
    { id: 'burnt', sha256: sha256(throttleKey), plan: 'free' },
  ] as const
  const fetch = createFetchHandler(await createServiceWithAnimals(serviceKeys, clock.now))
  for (let n = 0; n < used; n++) {
    await fetch(new Request(`${baseUrl}/pets?limit=1`, { headers: { authorization: `Bearer ${key}` } }))
  }
  return record({ baseUrl, apiKey: key, throttleKey, profile, plan: 'free', clock, fetch })
}

describe('a run with a Free key', () => {
  for (const profile of ['read', 'create', 'exhaust', 'all'] as const) {
    for (const used of [0, 58, 60]) {
      it(`conforms with profile ${profile} after ${used} requests this minute`, async () => {
        const transcript = await runAfter(used, profile)
        const report = judge(transcript)
        const unmetRules = report.rules.filter(({ verdict }) => /^(fail|warn)$/.test(verdict))
        assert.deepEqual([unmetRules, transcript.endedEarly], [[], undefined])
        assert.equal(exitCode(report), 0)
        const waitedMs = (transcript.waits ?? []).reduce((sum, { ms }) => sum + ms, 0)
        const maxWaitMs = used === 0 && profile === 'read' ? 0 : 130_000
        assert.ok(waitedMs <= maxWaitMs, `it waited ${waitedMs} ms`)
      })
    }
  }
})
