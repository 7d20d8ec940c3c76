import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFetchHandler } from '../../adapters/fetch.ts'
import { sha256 } from '../../core/index.ts'
import { exitCode, type Profile, record, type Transcript } from '../index.ts'
import { judge } from '../judge/judge.ts'
import { createClock } from '../sabotage/world.ts'
import { serviceWithAnimals } from '../testing/service.ts'

const key = 'key-of-a-free-plan'
const throttleKey = 'key-to-burn'
const baseUrl = 'http://pets.test/v1'

/** Runs a profile against the service with a key of the Free plan, of which so many requests are used already. */
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

for (const profile of ['read', 'create', 'exhaust', 'all'] as const) {
  for (const used of [0, 30, 58, 60]) {
    test(`a Free key of which ${used} requests are used gets through the profile ${profile}`, async () => {
      const transcript = await runAfter(used, profile)
      const report = judge(transcript)
      const objections = report.rules.filter(({ verdict }) => /^(fail|warn)$/.test(verdict))
      assert.deepEqual([objections, transcript.endedEarly], [[], undefined])
      assert.equal(exitCode(report), 0)
      const waited = (transcript.waits ?? []).reduce((sum, { ms }) => sum + ms, 0)
      assert.ok(waited <= 130_000, `it waited ${waited} ms`)
    })
  }
}

test('a Free key that is not used yet is not slowed down by a run', async () => {
  for (const profile of ['read', 'create'] as const) {
    assert.equal((await runAfter(0, profile)).waits, undefined)
  }
})
