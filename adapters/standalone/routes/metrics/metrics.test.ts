import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { LimiterUnavailable, type ResponseEvent, StoreUnavailable } from '../../../../core/index.ts'
import type { KeyFigures } from '../../keys/open-keys.ts'
import { metricNames, metricTable } from './metric-table.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { keyReadings, processReadings } from './readings.ts'

const startedAt = 1_795_132_800_500

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

function metricsAfter(...events: readonly Partial<ResponseEvent>[]): Metrics {
  const metrics = createMetrics({
    ...processReadings(startedAt),
    pet_adoption_log_lines_lost_total: () => 3,
    pet_adoption_build_info: () => [[1, '1.2.3']],
  })
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

describe('the metrics', () => {
  it('metrics count requests by operation and status', () => {
    const metrics = metricsAfter({}, {}, { status: 400 }, { operation: undefined, status: 404 })
    assert.equal(sampleOf(metrics, 'pet_adoption_requests_total{operation="listPets",status="200"}'), 2)
    assert.equal(sampleOf(metrics, 'pet_adoption_requests_total{operation="listPets",status="400"}'), 1)
    assert.equal(sampleOf(metrics, 'pet_adoption_requests_total{operation="none",status="404"}'), 1)
  })

  it('metrics sort durations into cumulative buckets, in seconds', () => {
    const metrics = metricsAfter({ durationMs: 1 }, { durationMs: 3 }, { durationMs: 60_000 })
    const name = 'pet_adoption_request_duration_seconds'
    const labels = 'operation="listPets",outcome="success"'
    const bucket = (le: string) => sampleOf(metrics, `${name}_bucket{${labels},le="${le}"}`)
    assert.deepEqual(['0.0005', '0.001', '0.0025', '0.005', '10', '+Inf'].map(bucket), [0, 1, 1, 2, 2, 3])
    assert.equal(sampleOf(metrics, `${name}_count{${labels}}`), 3)
    assert.equal(sampleOf(metrics, `${name}_sum{${labels}}`), 60.004)
  })

  it('metrics tell durations of successes, rejections and failures apart', () => {
    const metrics = metricsAfter(...[200, 204, 400, 404, 429, 500, 503].map((status) => ({ status })))
    const count = (outcome: string) =>
      sampleOf(
        metrics,
        `pet_adoption_request_duration_seconds_count{operation="listPets",outcome="${outcome}"}`,
      )
    assert.deepEqual(['success', 'rejected', 'failed'].map(count), [2, 3, 2])
  })

  it('the series of 500 and 503 exist before the first of them', () => {
    const metrics = metricsAfter()
    for (const operation of ['listPets', 'createPet', 'getPet', 'none'])
      for (const status of [500, 503])
        assert.equal(
          sampleOf(metrics, `pet_adoption_requests_total{operation="${operation}",status="${status}"}`),
          0,
        )
  })

  it('metrics count requests rejected with 429 by whose limit it was, and those of a ban separately', () => {
    const limit = { status: 429, code: 'rate_limit_exceeded' } as const
    const metrics = metricsAfter({}, limit, { ...limit, caller: undefined }, limit, {
      ...limit,
      code: 'api_key_banned',
    })
    const rejected = (code: string, by: string) =>
      sampleOf(metrics, `pet_adoption_refusals_total{code="${code}",by="${by}"}`)
    assert.equal(rejected('rate_limit_exceeded', 'key'), 2)
    assert.equal(rejected('rate_limit_exceeded', 'address'), 1)
    assert.equal(rejected('api_key_banned', 'key'), 1)
    assert.equal(rejected('api_key_banned', 'address'), 0)
  })

  it('metrics count failures of the store, of the limiter and of the program separately', () => {
    const metrics = metricsAfter()
    metrics.recordFailure(new StoreUnavailable('gone'))
    metrics.recordFailure(new StoreUnavailable('gone'))
    metrics.recordFailure(new LimiterUnavailable('gone'))
    metrics.recordFailure(new TypeError('a defect'))
    const failed = (part: string) => sampleOf(metrics, `pet_adoption_failures_total{part="${part}"}`)
    assert.deepEqual(['store', 'limiter', 'other'].map(failed), [2, 1, 1])
  })

  it('metrics show when the process began and what it uses', () => {
    const metrics = metricsAfter()
    assert.equal(sampleOf(metrics, 'process_start_time_seconds'), 1_795_132_800.5)
    assert.ok(Number(sampleOf(metrics, 'process_resident_memory_bytes')) > 0)
    assert.ok(Number(sampleOf(metrics, 'process_cpu_seconds_total')) > 0)
    if (!existsSync('/proc/self/limits')) return
    assert.ok(Number(sampleOf(metrics, 'process_open_fds')) < Number(sampleOf(metrics, 'process_max_fds')))
  })

  it('a reading with labels has a series for each sample', () => {
    assert.equal(sampleOf(metricsAfter(), 'pet_adoption_build_info{version="1.2.3"}'), 1)
  })

  it('metrics count refused connections and lost lines of the log', () => {
    const metrics = metricsAfter()
    assert.equal(sampleOf(metrics, 'pet_adoption_connections_refused_total'), 0)
    metrics.recordRefusedConnection()
    assert.equal(sampleOf(metrics, 'pet_adoption_connections_refused_total'), 1)
    assert.equal(sampleOf(metrics, 'pet_adoption_log_lines_lost_total'), 3)
  })

  it('metrics show how many keys are valid, when they were read, and when the next one expires', () => {
    let keys: KeyFigures = {
      issued: 5,
      inForce: 3,
      loadedAt: 1_795_132_800_250,
      nextExpiry: 1_795_132_900_000,
    }
    const metrics = createMetrics(keyReadings(() => keys))
    assert.equal(sampleOf(metrics, 'pet_adoption_keys'), 3)
    assert.equal(sampleOf(metrics, 'pet_adoption_keys_loaded_timestamp_seconds'), 1_795_132_800.25)
    assert.equal(sampleOf(metrics, 'pet_adoption_next_key_expiry_timestamp_seconds'), 1_795_132_900)
    keys = { issued: 5, inForce: 0, loadedAt: 1_795_132_800_250 }
    assert.equal(sampleOf(metrics, 'pet_adoption_keys'), 0)
    assert.equal(sampleOf(metrics, 'pet_adoption_next_key_expiry_timestamp_seconds'), undefined)
  })

  it('metrics name no caller and no address', () => {
    assert.doesNotMatch(
      metricsAfter({}, { status: 429, code: 'rate_limit_exceeded' }).render(),
      /berlin|192\.0\.2/,
    )
  })

  it('metrics give each family its help and type once, ahead of its series', () => {
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
    assert.equal(named.size, existsSync('/proc/self/limits') ? 12 : 10)
  })

  it('each row of the table of metrics is a valid family: a counter ends with _total, and nothing else does', () => {
    for (const name of metricNames) {
      const { type, help } = metricTable[name]
      assert.match(name, /^(?:pet_adoption|nodejs|process)_[a-z_]+$/)
      assert.equal(name.endsWith('_total'), type === 'counter', name)
      assert.match(help, /^[A-Z].*\.$/)
    }
  })
})
