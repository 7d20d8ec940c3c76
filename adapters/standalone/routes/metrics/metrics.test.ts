import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import {
  createPetService,
  LimiterUnavailable,
  type ResponseEvent,
  type ServiceRequest,
  type ServiceResponse,
  StoreUnavailable,
} from '../../../../core/index.ts'
import { metricTable, type Parts } from './metric-table.ts'
import { createMetrics, type Metrics } from './metrics.ts'

const success: ResponseEvent = {
  operation: 'listPets',
  method: 'GET',
  status: 200,
  code: undefined,
  durationMs: 3,
  caller: 'shelter-berlin',
  client: '192.0.2.1',
  decision: { allowed: true, banned: false, limit: 60, remaining: 59, reset: 1_795_132_860, waitMs: 0 },
  requestId: undefined,
}

const health = { readFailure: undefined, writeFailure: undefined }
const parts: Parts = {
  keys: () => undefined,
  limiter: () => ({ mode: 'local', isRedisUp: undefined }),
  storage: { health: () => health },
  connections: () => 2,
  linesLost: () => 3,
  eventLoopLag: () => undefined,
}

function metricsAfter(...events: readonly Partial<ResponseEvent>[]): Metrics {
  const metrics = createMetrics(parts)
  for (const event of events) metrics.recordResponse({ ...success, ...event })
  return metrics
}

function sampleOf(metrics: Metrics, series: string): number | undefined {
  const line = metrics
    .render()
    .split('\n')
    .find((text) => text.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('metrics count requests by operation, status and outcome, with their durations in cumulative buckets, in seconds', () => {
  const metrics = metricsAfter(
    ...[1, 3, 60_000].map((durationMs) => ({ durationMs })),
    ...[204, 400, 404, 429, 500, 503].map((status) => ({ status, operation: 'getPet' as const })),
    { operation: undefined, status: 404 },
  )
  const of = (name: string, labels: string) => sampleOf(metrics, `pet_adoption_${name}{${labels}}`)
  const total = (operation: string, status: number) =>
    of('requests_total', `operation="${operation}",status="${status}"`)
  assert.deepEqual([total('listPets', 200), total('getPet', 400), total('none', 404)], [3, 1, 1])
  for (const operation of ['listPets', 'createPet', 'none'])
    assert.deepEqual([total(operation, 500), total(operation, 503)], [0, 0], 'they exist before the first')
  const outcome = (name: string) =>
    of('request_duration_seconds_count', `operation="getPet",outcome="${name}"`)
  assert.deepEqual(['success', 'rejected', 'failed'].map(outcome), [1, 3, 2])
  const list = 'operation="listPets",outcome="success"'
  const bucket = (le: string) => of('request_duration_seconds_bucket', `${list},le="${le}"`)
  assert.deepEqual(['0.0005', '0.001', '0.0025', '0.005', '10', '+Inf'].map(bucket), [0, 1, 1, 2, 2, 3])
  assert.equal(of('request_duration_seconds_sum', list), 60.004)
})

test('metrics count requests rejected with 429 by whose limit it was, those of a ban separately, and name no caller', () => {
  const limit = { status: 429, code: 'rate_limit_exceeded' } as const
  const ban = { ...limit, code: 'api_key_banned' } as const
  const metrics = metricsAfter({}, limit, { ...limit, caller: undefined }, limit, ban)
  for (const [code, by, count] of [
    ['rate_limit_exceeded', 'key', 2],
    ['rate_limit_exceeded', 'address', 1],
    ['api_key_banned', 'key', 1],
    ['api_key_banned', 'address', 0],
  ] as const)
    assert.equal(sampleOf(metrics, `pet_adoption_refusals_total{code="${code}",by="${by}"}`), count)
  assert.doesNotMatch(metrics.render(), /berlin|192\.0\.2/)
})

test('metrics count failures of the store, of the limiter and of the program separately, and refused connections', () => {
  const metrics = metricsAfter()
  const gone = [new StoreUnavailable('gone'), new StoreUnavailable('gone'), new LimiterUnavailable('gone')]
  for (const cause of [...gone, new TypeError('a defect')]) metrics.recordFailure(cause)
  const failed = (part: string) => sampleOf(metrics, `pet_adoption_failures_total{part="${part}"}`)
  assert.deepEqual(['store', 'limiter', 'other'].map(failed), [2, 1, 1])
  assert.equal(sampleOf(metrics, 'pet_adoption_connections_refused_total'), 0)
  metrics.recordRefusedConnection()
  assert.equal(sampleOf(metrics, 'pet_adoption_connections_refused_total'), 1)
})

test('metrics show what is read as they are rendered: of the process, of the log and of the version', () => {
  const metrics = metricsAfter()
  const of = (name: string) => Number(sampleOf(metrics, name))
  assert.deepEqual([of('pet_adoption_connections'), of('pet_adoption_log_lines_lost_total')], [2, 3])
  assert.match(metrics.render(), /^pet_adoption_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
  assert.ok(Math.abs(of('process_start_time_seconds') * 1000 - performance.timeOrigin) < 1)
  assert.ok(of('process_resident_memory_bytes') > 0)
  assert.ok(of('process_cpu_seconds_total') > 0)
  if (existsSync('/proc/self/limits')) assert.ok(of('process_open_fds') < of('process_max_fds'))
})

const keys = { issued: 5, inForce: 3, loadedAt: 1_795_132_800_250, nextExpiry: 1_795_132_900_000 }
const failing = new Error('a defect')
for (const [what, state, expected] of [
  [
    'keys, some of which expire',
    { keys: () => keys },
    {
      keys: 3,
      keys_loaded_timestamp_seconds: 1_795_132_800.25,
      next_key_expiry_timestamp_seconds: 1_795_132_900,
    },
  ],
  [
    'keys without an end',
    { keys: () => ({ issued: 5, inForce: 0, loadedAt: 250 }) },
    { keys: 0, keys_loaded_timestamp_seconds: 0.25, next_key_expiry_timestamp_seconds: undefined },
  ],
  [
    'a store that works, without a pool',
    {},
    { store_up: 1, store_writable: 1, 'pool_connections{state="used"}': undefined },
  ],
  [
    'a store that cannot be written',
    { storage: { health: () => ({ ...health, writeFailure: failing }) } },
    { store_up: 1, store_writable: 0 },
  ],
  [
    'a store that cannot be read, with a pool',
    {
      storage: {
        health: () => ({ ...health, readFailure: failing }),
        connections: () => ({ used: 1, idle: 2, waiting: 3 }),
      },
    },
    {
      store_up: 0,
      store_writable: 0,
      'pool_connections{state="idle"}': 2,
      'pool_connections{state="waiting"}': 3,
    },
  ],
  [
    'limits in memory',
    {},
    { 'limiter_mode{mode="local"}': 1, 'limiter_mode{mode="shared"}': 0, redis_up: undefined },
  ],
] as const)
  test(`metrics show the state of ${what}`, () => {
    const metrics = createMetrics({ ...parts, ...state })
    for (const [name, value] of Object.entries(expected))
      assert.equal(sampleOf(metrics, `pet_adoption_${name}`), value, name)
  })

test('metrics give each family its help and type once, ahead of its series', () => {
  const named = new Set<string>()
  let family = ''
  for (const line of metricsAfter({}).render().trimEnd().split('\n')) {
    const [, keyword, name = ''] = /^# (HELP|TYPE) (\S+) \S/.exec(line) ?? []
    if (keyword === 'HELP') {
      assert.ok(!named.has(name), name)
      named.add(name)
      family = name
    } else if (keyword === 'TYPE') assert.equal(name, family)
    else assert.match(line, new RegExp(`^${family}(_bucket|_sum|_count)?(\\{[^}]+\\})? [\\d.e+-]+$`))
  }
  assert.ok(named.size > 10)
})

test('the names and the help of metrics are those that Prometheus expects', () => {
  for (const [name, { help }] of Object.entries(metricTable)) {
    assert.match(name, /^(?:pet_adoption|nodejs|process)_[a-z_]+$/)
    assert.match(help, /^[A-Z].*\.$/)
  }
})

test('a request is in flight until its response is known or the service fails, and not where that is at once', async () => {
  const metrics = createMetrics(parts)
  const inFlight = () => sampleOf(metrics, 'pet_adoption_requests_in_flight')
  const service = createPetService({ keys: { find: () => undefined } })
  const response: ServiceResponse = { status: 200, headers: [], body: '' }
  const request = {} as ServiceRequest // nothing reads it
  const settled: [(late: ServiceResponse) => void, (cause: Error) => void][] = []
  const wait = () => new Promise<ServiceResponse>((...both) => void settled.push(both))
  const handles = [wait, wait, () => response]
  const watched = metrics.watch({ ...service, handle: () => (handles.shift() ?? assert.fail())() })
  const [first, second] = [watched.handle(request), watched.handle(request)]
  assert.equal(watched.handle(request), response)
  assert.equal(inFlight(), 2)
  settled[0]?.[0](response)
  assert.equal(await first, response)
  assert.equal(inFlight(), 1)
  settled[1]?.[1](new Error('a defect'))
  await assert.rejects(async () => second, /a defect/)
  assert.equal(inFlight(), 0)
})
