import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailableError } from '../../../core/index.ts'
import type { Log } from '../log/log.ts'
import type { LoggedResponse } from '../log/log-format.ts'
import { createServiceHooks } from './service-hooks.ts'

const all = { requests: true, health: true, addresses: true }

const check: LoggedResponse = {
  operation: '/readyz',
  method: 'GET',
  status: 200,
  code: undefined,
  durationMs: 1,
  caller: undefined,
  clientAddress: '192.0.2.1',
  requestId: 'r1',
  traceId: undefined,
}

describe('service hooks', () => {
  it('log bugs with a stack, and throttle unavailable backends', () => {
    const lines: unknown[] = []
    const logTo = (name: string) =>
      ({ error: (...line: unknown[]) => void lines.push([name, ...line]) }) as unknown as Log // only `error` is called
    const parts = { log: logTo('log'), throttled: logTo('throttled') }
    const { onError } = createServiceHooks(parts, undefined, all)
    const context = { operation: 'createPet', caller: 'shelter', requestId: 'r1' } as const
    const bug = new TypeError('a bug')
    onError(bug, context)
    onError(new StoreUnavailableError('gone'), context)
    assert.deepEqual(lines, [
      ['log', 'failure', bug.stack, context],
      ['throttled', 'unavailable', 'gone', context],
    ])
  })

  for (const [options, expected] of [
    [{}, ['/readyz 200', '/metrics 200', '/favicon.ico 200', '/docs 200', '/readyz 503']],
    [{ health: false }, ['/docs 200', '/readyz 503']],
    [{ requests: false }, []],
  ] as const)
    it(`log pages with ${JSON.stringify(options)}: ${expected.join(', ') || 'none'}`, () => {
      const lines: string[] = []
      const response = ({ operation, status }: LoggedResponse) => void lines.push(`${operation} ${status}`)
      const log = { response } as unknown as Log // only `response` is called
      const hooks = createServiceHooks({ log, throttled: log }, undefined, { ...all, ...options })
      for (const operation of ['/readyz', '/metrics', '/favicon.ico', '/docs'])
        hooks.onPageResponse?.({ ...check, operation })
      hooks.onPageResponse?.({ ...check, status: 503 })
      assert.deepEqual(lines, expected)
    })

  it('log errors if requests are not logged', () => {
    const lines: unknown[] = []
    const log = { response: assert.fail, error: (event: string) => void lines.push(event) } as unknown as Log
    const hooks = createServiceHooks({ log, throttled: log }, undefined, { ...all, requests: false })
    assert.equal(hooks.onResponse, undefined)
    hooks.onError(new Error('a bug'), { operation: 'getPet', caller: undefined, requestId: 'r1' })
    assert.deepEqual(lines, ['failure'])
  })

  it('create unpredictable request ids', () => {
    const log = {} as unknown as Log // nothing is logged
    const { requestId } = createServiceHooks({ log, throttled: log }, undefined, all)
    const ids = Array.from({ length: 1_000 }, requestId)
    for (const id of ids) assert.match(id, /^[\w-]{16}$/)
    assert.equal(new Set(ids.map((id) => id.slice(0, 8))).size, ids.length)
    assert.equal(new Set(ids.map((id) => id.slice(8))).size, ids.length)
  })

  it('are absent if nothing needs them', () => {
    const log = {} as unknown as Log // nothing is logged
    const hooks = createServiceHooks({ log, throttled: log }, undefined, all)
    assert.deepEqual([hooks.onResponse, hooks.onPageResponse], [undefined, undefined])
  })
})
