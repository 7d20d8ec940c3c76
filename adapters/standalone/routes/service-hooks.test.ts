import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '../../../core/index.ts'
import type { Log } from '../log/log.ts'
import type { LoggedResponse } from '../log/log-format.ts'
import { createServiceHooks } from './service-hooks.ts'

const check: LoggedResponse = {
  operation: '/readyz',
  method: 'GET',
  status: 200,
  code: undefined,
  durationMs: 1,
  caller: undefined,
  client: '192.0.2.1',
  requestId: 'r1',
}

test('a defect is logged with its stack, and a part that is unavailable by its message and throttled', () => {
  const lines: unknown[] = []
  const logTo = (name: string) =>
    ({ error: (...line: unknown[]) => void lines.push([name, ...line]) }) as unknown as Log // all that is used
  const parts = { log: logTo('log'), throttled: logTo('throttled') }
  const { onError } = createServiceHooks(parts, undefined, { addresses: false, health: true })
  const context = { operation: 'createPet', caller: 'shelter', requestId: 'r1' } as const
  const bug = new TypeError('a bug')
  onError(bug, context)
  onError(new StoreUnavailable('gone'), context)
  assert.deepEqual(lines, [
    ['log', 'failure', bug.stack, context],
    ['throttled', 'unavailable', 'gone', context],
  ])
})

for (const [health, expected] of [
  [true, ['/readyz 200', '/docs 200', '/readyz 503']],
  [false, ['/docs 200', '/readyz 503']],
] as const)
  test(`pages are logged as ${expected} with health checks ${health ? 'in' : 'left out of'} the log`, () => {
    const lines: string[] = []
    const response = ({ operation, status }: LoggedResponse) => void lines.push(`${operation} ${status}`)
    const log = { response } as unknown as Log // all that is used
    const { onPage } = createServiceHooks({ log, throttled: log }, undefined, { addresses: false, health })
    for (const event of [check, { ...check, operation: '/docs' }, { ...check, status: 503 }]) onPage?.(event)
    assert.deepEqual(lines, expected)
  })

test('a log without responses and no metrics need no hook for responses', () => {
  const log = {} as unknown as Log // such as a silent one
  const hooks = createServiceHooks({ log, throttled: log }, undefined, { addresses: true, health: true })
  assert.deepEqual([hooks.onResponse, hooks.onPage], [undefined, undefined])
})
