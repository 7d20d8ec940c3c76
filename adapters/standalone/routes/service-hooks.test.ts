import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailable } from '../../../core/index.ts'
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
  client: '192.0.2.1',
  requestId: 'r1',
  traceId: undefined,
}

describe('the hooks of the server', () => {
  it('log a defect with its stack, and an unavailable part at intervals', () => {
    const lines: unknown[] = []
    const logTo = (name: string) =>
      ({ error: (...line: unknown[]) => void lines.push([name, ...line]) }) as unknown as Log // all that is used
    const parts = { log: logTo('log'), throttled: logTo('throttled') }
    const { onError } = createServiceHooks(parts, undefined, all)
    const context = { operation: 'createPet', caller: 'shelter', requestId: 'r1' } as const
    const bug = new TypeError('a bug')
    onError(bug, context)
    onError(new StoreUnavailable('gone'), context)
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
      const log = { response } as unknown as Log // all that is used
      const hooks = createServiceHooks({ log, throttled: log }, undefined, { ...all, ...options })
      for (const operation of ['/readyz', '/metrics', '/favicon.ico', '/docs'])
        hooks.onPage?.({ ...check, operation })
      hooks.onPage?.({ ...check, status: 503 })
      assert.deepEqual(lines, expected)
    })

  it('log failures also without a line for each request', () => {
    const lines: unknown[] = []
    const log = { response: assert.fail, error: (event: string) => void lines.push(event) } as unknown as Log
    const hooks = createServiceHooks({ log, throttled: log }, undefined, { ...all, requests: false })
    assert.equal(hooks.onResponse, undefined)
    hooks.onError(new Error('a bug'), { operation: 'getPet', caller: undefined, requestId: 'r1' })
    assert.deepEqual(lines, ['failure'])
  })

  it('are absent for responses if neither the log nor metrics need them', () => {
    const log = {} as unknown as Log // such as a silent one
    const hooks = createServiceHooks({ log, throttled: log }, undefined, all)
    assert.deepEqual([hooks.onResponse, hooks.onPage], [undefined, undefined])
  })
})
