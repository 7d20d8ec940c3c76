import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phasesOf } from '../steps/phases.ts'
import type { RunOptions } from './options.ts'
import { plan } from './plan.ts'

const options: RunOptions = { baseUrl: 'https://pets.test/v1', key: 'main-key', throttleKey: 'other-key' }

test('a plan of read costs a Free key less than half a minute’s requests, and creates nothing', () => {
  const { requests, keyed, throttled, shareOfFree, creations } = plan(options)
  assert.ok(requests <= 40)
  assert.equal(throttled, 0)
  assert.deepEqual(shareOfFree, { minute: keyed / 60, day: keyed / 1000 })
  assert.ok(shareOfFree.minute < 0.5)
  assert.deepEqual(creations, { validBodies: 0, most: 0 })
})

test('a plan of create counts every body that may be accepted', () => {
  const { requests, creations, exchanges } = plan({ ...options, profile: 'create' })
  assert.ok(requests <= 60)
  assert.deepEqual(creations, { validBodies: 12, most: 24 })
  assert.ok(exchanges.some(({ body }) => body?.includes('"categoryId":9007199254740993')))
})

test('a plan of exhaust has the bound of the burn, which maxRequests sets', () => {
  const burn = (maxRequests: number) =>
    plan({ ...options, profile: 'exhaust', maxRequests }).exchanges.find(({ id }) => id === 'burn')?.times
  assert.equal(plan({ ...options, profile: 'exhaust' }).throttled, 502)
  assert.deepEqual([burn(50), burn(2000)], [50, 2000])
})

test('a plan has placeholders for values that a run finds out, and no key', () => {
  const { exchanges } = plan({ ...options, profile: 'all', categoryId: 12n })
  const text = JSON.stringify(exchanges)
  assert.ok(!/main-key|other-key/.test(text))
  const target = (id: string) => exchanges.find((exchange) => exchange.id === id)?.target
  assert.equal(target('get-listed'), '/pets/<listed id>')
  assert.equal(target('key-in-query'), '/pets?access_token=$PET_ADOPTION_THROTTLE_KEY')
  assert.match(exchanges.find(({ id }) => id === 'create-sold')?.body ?? '', /"categoryId":12,/)
})

test('a plan states the condition under which an exchange is sent', () => {
  const again = plan({ ...options, profile: 'create' }).exchanges.find(({ id }) => id === 'get-created-again')
  assert.equal(again?.when, 'if getPet does not return it as it was sent')
})

test('a plan of create states what its bound may leave no room for', () => {
  const { exchanges, requests, keyed } = plan({ ...options, profile: 'create' })
  const spare = exchanges.filter(({ when }) => when?.includes('if the bound of 60 requests leaves room'))
  const { first, last } = phasesOf('create')
  const unkeyed = [...first, ...last].filter(({ credential }) => !/^key/.test(credential))
  assert.deepEqual([requests, keyed], [60, 60 - unkeyed.length])
  assert.deepEqual(
    spare.map(({ id }) => id),
    first.filter(({ spare }) => spare).map(({ id }) => id),
  )
})

test('a plan of read has no request that its bound may leave no room for', () => {
  const { exchanges, requests } = plan(options)
  assert.equal(requests, exchanges.length)
  assert.ok(exchanges.every(({ when }) => !when?.includes('bound')))
})

test('a plan counts only one of two requests of which one is sent', () => {
  const { exchanges, requests } = plan({ ...options, profile: 'all' })
  assert.equal(requests, exchanges.reduce((sum, { times }) => sum + times, 0) - 1)
})

test('a plan is as strict about its options as a run', () => {
  assert.throws(
    () => plan({ baseUrl: 'https://pets.test/v1', key: 'main-key', profile: 'exhaust' }),
    TypeError,
  )
})
