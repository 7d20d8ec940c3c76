import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '../../../core/index.ts'
import { createLog, createThrottledLog } from '../log/log.ts'
import type { LoggedResponse } from '../log/log-format.ts'
import { Capture } from '../testing/capture.ts'
import { recordsOf } from '../testing/program.ts'
import { createServiceHooks, type RequestLogOptions, type ServiceHooks } from './service-hooks.ts'

const context = { operation: 'createPet', caller: 'shelter' } as const

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

/** Returns the records of stdout and of stderr after a use of the hooks. */
async function recordsAfter(
  use: (hooks: ServiceHooks) => void,
  options: Partial<RequestLogOptions> = {},
): Promise<readonly (readonly Readonly<Record<string, unknown>>[])[]> {
  const [stdout, stderr] = [new Capture(), new Capture()]
  const log = createLog('json', { stdout, stderr }, () => 0)
  const throttled = createThrottledLog(log, () => 0)
  use(createServiceHooks({ log, throttled }, undefined, { addresses: false, health: true, ...options }))
  await log.flush()
  return [recordsOf(stdout), recordsOf(stderr)]
}

test('every defect has a line with its stack, and a part that is unavailable one line in ten seconds', async () => {
  const [, failures = []] = await recordsAfter(({ onError }) => {
    for (const requestId of ['r1', 'r2']) {
      onError(new TypeError('a bug'), { ...context, requestId })
      onError(new StoreUnavailable('gone'), { ...context, requestId })
    }
  })
  assert.deepEqual(
    failures.map(({ event, requestId, operation, keyId }) => [event, requestId, operation, keyId]),
    ['failure r1', 'unavailable r1', 'failure r2'].map((text) => [
      ...text.split(' '),
      'createPet',
      'shelter',
    ]),
  )
  assert.match(String(failures[0]?.message), /^TypeError: a bug\n +at /)
  assert.equal(failures[1]?.message, 'gone')
})

test('successful health checks can be left out of the log, and failed ones never are', async () => {
  const [responses] = await recordsAfter(
    ({ onPage }) => {
      onPage?.(check)
      onPage?.({ ...check, operation: '/docs' })
      onPage?.({ ...check, status: 503 })
    },
    { health: false },
  )
  const lines = responses?.map(({ operation, status }) => `${operation} ${status}`)
  assert.deepEqual(lines, ['/docs 200', '/readyz 503'])
})

test('a silent log without metrics needs no hook for responses', () => {
  const log = createLog('silent', { stdout: new Capture(), stderr: new Capture() }, () => 0)
  const { onResponse, onPage } = createServiceHooks({ log, throttled: log }, undefined, {
    addresses: true,
    health: true,
  })
  assert.deepEqual([onResponse, onPage], [undefined, undefined])
})
