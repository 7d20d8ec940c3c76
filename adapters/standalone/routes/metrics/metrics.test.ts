import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  createPetService,
  LimiterUnavailableError,
  type ResponseEvent,
  type ServiceRequest,
  type ServiceResponse,
  StoreUnavailableError,
} from '../../../../core/index.ts'
import type { ObservedParts } from './metric-table.ts'
import { createMetrics, type Metrics } from './metrics.ts'

const success: ResponseEvent = {
  operation: 'listPets',
  route: '/v1/pets',
  method: 'GET',
  status: 200,
  code: undefined,
  durationMs: 3,
  caller: 'shelter-berlin',
  clientAddress: '192.0.2.1',
  decision: { allowed: true, banned: false, limit: 60, remaining: 59, reset: 1_795_132_860, waitMs: 0 },
  requestId: undefined,
  traceId: undefined,
}
const limited = { status: 429, code: 'rate_limit_exceeded' } as const
const gone = new Error('gone')
const idleParts: ObservedParts = {
  keys: { figures: async () => ({ issued: 0, inForce: 0, loadedAt: 0 }) },
  limiter: { figures: () => ({ mode: 'local', isRedisUp: undefined }) },
  store: { check: async () => ({}), metrics: () => ({}) },
  log: { linesLost: 3 },
  eventLoop: undefined,
  connections: async () => 2,
}

/** Asserts the values of series. `undefined` expects that a series is absent. */
async function assertShows(
  metrics: Metrics,
  expected: Readonly<Record<string, number | undefined>>,
): Promise<void> {
  const text = await metrics.render()
  const lines = new Map(
    text
      .split('\n')
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
  for (const [series, value] of Object.entries(expected))
    assert.equal(lines.get(`pet_adoption_${series}`), value, series)
}

describe('the metrics', () => {
  it('count responses, rejections and failures', async () => {
    const metrics = createMetrics(idleParts)
    for (const event of [
      ...[1, 3, 60_000].map((durationMs) => ({ durationMs })),
      ...[204, 400, 404, 500, 503].map((status) => ({ operation: 'getPet', status }) as const),
      ...[limited, limited, { ...limited, code: 'api_key_banned' }, { ...limited, caller: undefined }],
      { operation: undefined, status: 404 },
    ] as const)
      metrics.recordResponse({ ...success, ...event })
    for (const cause of [new StoreUnavailableError('gone'), new LimiterUnavailableError('gone'), gone, gone])
      metrics.recordFailure(cause)
    metrics.recordRefusedConnection()
    const bucket = (le: string) =>
      `request_duration_seconds_bucket{operation="listPets",outcome="success",le="${le}"}`
    await assertShows(metrics, {
      'requests_total{operation="listPets",status="200"}': 3,
      'requests_total{operation="getPet",status="400"}': 1,
      'requests_total{operation="none",status="404"}': 1,
      'requests_total{operation="createPet",status="500"}': 0, // known from the start
      'requests_total{operation="none",status="503"}': 0,
      'request_duration_seconds_count{operation="getPet",outcome="success"}': 1,
      'request_duration_seconds_count{operation="getPet",outcome="client_error"}': 2,
      'request_duration_seconds_count{operation="getPet",outcome="server_error"}': 2,
      [bucket('0.0005')]: 0,
      [bucket('0.001')]: 1,
      [bucket('0.0025')]: 1,
      [bucket('0.005')]: 2,
      [bucket('10')]: 2,
      [bucket('+Inf')]: 3,
      'request_duration_seconds_count{operation="listPets",outcome="success"}': 3,
      'request_duration_seconds_sum{operation="listPets",outcome="success"}': 60.004,
      'rejections_total{code="rate_limit_exceeded",by="key"}': 2,
      'rejections_total{code="rate_limit_exceeded",by="address"}': 1,
      'rejections_total{code="api_key_banned",by="key"}': 1,
      'rejections_total{code="api_key_banned",by="address"}': 0,
      'failures_total{part="store"}': 1,
      'failures_total{part="limiter"}': 1,
      'failures_total{part="other"}': 2,
      connections_refused_total: 1,
    })
    assert.doesNotMatch(await metrics.render(), /berlin|192\.0\.2/)
  })

  const withKeys = (figures: object) => ({
    keys: { figures: async () => ({ issued: 5, inForce: 0, loadedAt: 1250, ...figures }) },
  })
  const poolMetrics = { usedConnections: 1, idleConnections: 2, waitingStatements: 3 }
  const withHealth = (failures: object) => ({ store: { ...idleParts.store, check: async () => failures } })

  for (const [what, state, expected] of [
    [
      'a server in memory',
      {},
      {
        connections: 2,
        log_lines_lost_total: 3,
        keys: 0,
        redis_up: undefined,
        'limiter_mode{mode="local"}': 1,
        'limiter_mode{mode="shared"}': 0,
        store_up: 1,
        store_writable: 1,
        'pool_connections{state="used"}': undefined,
        'operation_removal_timestamp_seconds{operation="getPet"}': Date.UTC(2030, 11, 5) / 1000,
      },
    ],
    [
      'keys that expire',
      withKeys({ inForce: 3, nextExpiry: 9000 }),
      { keys: 3, keys_loaded_timestamp_seconds: 1.25, next_key_expiry_timestamp_seconds: 9 },
    ],
    [
      'keys that do not expire',
      withKeys({ inForce: 5 }),
      { keys: 5, next_key_expiry_timestamp_seconds: undefined },
    ],
    [
      'an unavailable Redis',
      { limiter: { figures: () => ({ mode: 'open' as const, isRedisUp: false }) } },
      { 'limiter_mode{mode="open"}': 1, redis_up: 0 },
    ],
    ['a store that cannot be written', withHealth({ writes: gone }), { store_up: 1, store_writable: 0 }],
    ['a store that cannot be read', withHealth({ reads: gone }), { store_up: 0, store_writable: 0 }],
    [
      'a pool',
      { store: { ...idleParts.store, metrics: () => poolMetrics } },
      { 'pool_connections{state="used"}': 1, pool_waiting_statements: 3 },
    ],
  ] as const)
    it(`describe ${what}`, async () => {
      await assertShows(createMetrics({ ...idleParts, ...state }), expected)
    })

  it('are in the Prometheus text format', async () => {
    const values = new Map<string, number>()
    let family = ''
    for (const line of (await createMetrics(idleParts).render()).trimEnd().split('\n')) {
      const [, keyword, name = ''] = /^# (HELP|TYPE) (\S+) \S/.exec(line) ?? []
      if (keyword === 'HELP') {
        assert.ok(!values.has(name), name)
        family = name
      } else if (keyword === 'TYPE') assert.equal(name, family)
      else assert.match(line, new RegExp(`^${family}(_bucket|_sum|_count)?(\\{[^}]+\\})? [\\d.e+-]+$`))
      values.set(family, Number(line.split(' ')[1]))
    }
    const processValue = (name: string) => Number(values.get(`process_${name}`))
    assert.ok(Math.abs(processValue('start_time_seconds') * 1000 - performance.timeOrigin) < 1)
    assert.ok(processValue('resident_memory_bytes') > 0 && processValue('cpu_seconds_total') > 0)
    if (existsSync('/proc/self/limits')) assert.ok(processValue('open_fds') < processValue('max_fds'))
  })

  it('count requests in flight', async () => {
    const metrics = createMetrics(idleParts)
    const assertInFlight = (count: number) => assertShows(metrics, { requests_in_flight: count })
    const response: ServiceResponse = { status: 200, rawHeaders: [], body: '' }
    const settles: [(late: ServiceResponse) => void, (cause: Error) => void][] = []
    const wait = () => new Promise<ServiceResponse>((...both) => void settles.push(both))
    const responses = [wait(), wait()]
    const service = createPetService({ keys: { find: () => undefined } })
    const { handle } = metrics.countInFlight({ ...service, handle: () => responses.shift() ?? assert.fail() })
    const request = {} as ServiceRequest // the request is not read
    const [first, second] = [handle(request), handle(request)]
    await assertInFlight(2)
    settles[0]?.[0](response)
    assert.equal(await first, response)
    await assertInFlight(1)
    settles[1]?.[1](gone)
    await assert.rejects(async () => second, gone)
    await assertInFlight(0)
  })
})
