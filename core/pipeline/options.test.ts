import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readServiceOptions, type ServiceOptions } from './options.ts'

class Keys {
  find() {
    return undefined
  }
}
const keys = new Keys()
const removalSeconds = Date.UTC(2030, 11, 5) / 1000

const invalidOptions: readonly (readonly [name: keyof ServiceOptions, values: readonly unknown[]])[] = [
  ['keys', [undefined, null, {}, [], 'key', { find: true }]],
  [
    'store',
    [null, {}, { create() {}, get() {} }, { create() {}, get() {}, list() {}, createOnce() {} }, 'memory'],
  ],
  ['limiter', [null, {}, { consume: 5 }, { consume() {} }, () => {}]],
  ['clock', [() => Number.NaN, () => undefined, () => new Date(), new Date(), null, 5]],
  ['basePath', [null, 5, '/', 'v1', '/v1/', '//v1', '/v 1', '/v1?', '/v1/#', 'http://x/v1', '/%76']],
  ['defaultStatus', ['lost', '', 5, true]],
  ['validate', [null, 'yes', []]],
  ['idempotency', [null, true, 86_400_000, { ttlMs: 0 }, { ttlMs: '24h' }, { ttlMs: 1.5 }, { ttl: 5 }]],
  ['maxBodyBytes', [null, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '64k']],
  ['maxNameLength', [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1000', true]],
  [
    'trustProxy',
    [null, true, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 'loopback', ['everything'], ['::/8', 5]],
  ],
  ['deprecatedSince', [null, 1.5, '2026', removalSeconds + 1, Number.NaN]],
  ['removal', [null, 'never', false]],
  ['stability', [null, 'beta', { getPet: 'stable' }, { feedPet: 'beta' }]],
  ['requestId', [null, 'id', {}]],
  ['onResponse', [null, {}]],
  ['onError', [null, console]],
]

describe('the service options', () => {
  for (const [name, values] of invalidOptions)
    it(`reject an invalid ${name}`, () => {
      const message = new RegExp(`^options\\.${name}\\b.* must (?:be|return) |^options\\.${name}: .* is not `)
      for (const value of values) {
        const options = { keys, [name]: value } as unknown as ServiceOptions // invalid input, on purpose
        assert.throws(() => readServiceOptions(options), { name: 'TypeError', message })
      }
    })

  it('reject unknown names', () => {
    for (const name of ['basepath', 'onReply', 'Keys', 'constructor']) {
      const message = new RegExp(
        `^unknown option "options\\.${name}"; expected one of keys, store, .*basePath, .*trustProxy$`,
      )
      assert.throws(() => readServiceOptions({ keys, [name]: undefined }), { name: 'TypeError', message })
    }
  })

  it('have defaults', () => {
    const defaults = {
      keys,
      basePath: '/v1',
      defaultStatus: 'available',
      maxBodyBytes: 65_536,
      maxNameLength: 1_000,
      deprecatedSince: Date.UTC(2026, 10, 20) / 1000,
      removal: 'automatic',
    }
    const givenOptions: ServiceOptions = {
      keys,
      basePath: '/zoo/v1',
      defaultStatus: null,
      maxBodyBytes: 1,
      maxNameLength: null,
      deprecatedSince: removalSeconds,
      removal: 'manual',
      stability: { createPet: 'beta' },
    }
    const undefinedOptions = Object.fromEntries(invalidOptions.map(([name]) => [name, undefined]))
    for (const [options, expected] of [
      [{ keys }, defaults],
      [{ ...undefinedOptions, keys }, defaults],
      [givenOptions, givenOptions],
    ] as const) {
      const settings = readServiceOptions(options)
      assert.deepEqual({ ...settings, ...expected }, settings)
      assert.ok(Math.abs(settings.clock() - Date.now()) < 60_000)
      assert.equal(
        settings.readClientAddress({ clientAddress: '192.0.2.1', header: () => '6.6.6.6' }),
        '192.0.2.1',
      )
    }
  })
})
