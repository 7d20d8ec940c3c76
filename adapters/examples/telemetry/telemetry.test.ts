import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { testWith } from '../../contracts/testing/resource.ts'
import { closeServer, listen } from '../../testing/listen.ts'
import { findExampleFolder } from '../testing/parts.ts'
import { apiKey } from '../testing/rules.ts'
import { nodeWithTypeScript, type RunningProgram, startForTest } from '../testing/serving.ts'

const test = testWith(findExampleFolder('telemetry'))
const headers = { Authorization: `Bearer ${apiKey}` }
const traceIds = ['4bf92f3577b34da6a3ce929d0e0e4736', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'] as const

/** Starts a server with the hooks from a recipe. */
function startRecipe(
  t: TestContext,
  cwd: string,
  recipe: string,
  env: Readonly<Record<string, string>> = {},
) {
  const command = [...nodeWithTypeScript, '--import', `./${recipe}.ts`, 'testing/server.ts'] as const
  return startForTest(t, command, { cwd, env: { HOOKS: recipe, ...env } })
}

/** Starts a server that records the JSON it receives. */
async function startCollector(t: TestContext) {
  const received: { readonly path: string; readonly items: readonly unknown[] }[] = []
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    const text = (req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
    const items = text.split('\n').filter((line) => line !== '')
    received.push({ path: req.url ?? '', items: items.map((line) => JSON.parse(line)) })
    res.setHeader('Content-Type', 'application/json').end('{}')
  })
  const port = await listen(server)
  t.after(() => closeServer(server))
  return { port, received }
}

/** Creates two animals, and gets and lists animals after each. */
async function useEveryOperation({ origin }: RunningProgram): Promise<void> {
  for (const name of ['Rex', 'Tom']) {
    const body = JSON.stringify({ name, categoryId: 7 })
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body }
    const response = await fetch(`${origin}/v1/pets`, init)
    const { id } = await response.json()
    const statuses = [response.status]
    for (const path of [`/${id}`, `?limit=${id}`])
      statuses.push((await fetch(`${origin}/v1/pets${path}`, { headers })).status)
    assert.deepEqual(statuses, [201, 200, 200])
  }
}

/** An attribute in OpenTelemetry's protocol. */
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}

const findRoute = ({ attributes }: { readonly attributes: readonly Attribute[] }) =>
  attributes.find(({ key }) => key === 'http.route')?.value.stringValue

describe('OpenTelemetry', () => {
  /** Runs a server, and returns its spans, metrics and log lines. */
  async function collectTelemetry(
    t: TestContext,
    cwd: string,
    use: (server: RunningProgram) => Promise<void>,
  ) {
    const { port, received } = await startCollector(t)
    const server = await startRecipe(t, cwd, 'opentelemetry', {
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    })
    await use(server)
    await server.stop()
    const itemsAt = (path: string) =>
      received.filter((request) => request.path === path).flatMap(({ items }) => items.map(Object))
    const spans = itemsAt('/v1/traces')
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans)
    const metrics = itemsAt('/v1/metrics')
      .flatMap(({ resourceMetrics }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }) => metrics)
    return { spans, metrics, lines: server.stdout.lines.map((line) => JSON.parse(line)) }
  }

  test('names each span after its route', async (t, cwd) => {
    const { spans } = await collectTelemetry(t, cwd, useEveryOperation)
    assert.deepEqual(
      spans.map((span) => [span.name, findRoute(span)]),
      [1, 2].flatMap(() => [
        ['POST /v1/pets', '/v1/pets'],
        ['GET /v1/pets/{petId}', '/v1/pets/{petId}'],
        ['GET /v1/pets', '/v1/pets'],
      ]),
    )
  })

  test('records request durations by route', async (t, cwd) => {
    const { metrics } = await collectTelemetry(t, cwd, useEveryOperation)
    const [duration, ...others] = metrics.filter(({ name }) => name === 'http.server.request.duration')
    assert.deepEqual(others, [])
    assert.deepEqual(
      duration.histogram.dataPoints.map(findRoute).sort(),
      ['/v1/pets', '/v1/pets', '/v1/pets/{petId}'], // one each for POST and GET
    )
  })

  test('logs a trace ID for each concurrent request', async (t, cwd) => {
    const { spans, lines } = await collectTelemetry(t, cwd, async ({ origin }) => {
      const send = (traceId: string, path: string) =>
        fetch(`${origin}${path}`, {
          headers: { ...headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
        })
      await Promise.all([send(traceIds[0], '/v1/pets'), send(traceIds[1], '/v1/pets/1')])
    })
    const expected = [
      [traceIds[0], 'listPets', 200],
      [traceIds[1], 'getPet', 404],
    ]
    assert.deepEqual(
      lines.map(({ trace_id, operation, status }) => [trace_id, operation, status]).sort(),
      expected,
    )
    assert.deepEqual(spans.map(({ traceId }) => traceId).sort(), traceIds)
  })
})

describe('Prometheus', () => {
  /** Returns a metric's time series. */
  async function listSeries({ origin }: RunningProgram, name: string): Promise<readonly string[]> {
    const text = await (await fetch(`${origin}/metrics`)).text()
    return text.split('\n').filter((line) => line.startsWith(`${name}{`))
  }

  test('records request durations by operation and outcome', async (t, cwd) => {
    const server = await startRecipe(t, cwd, 'prometheus')
    await useEveryOperation(server)
    assert.deepEqual(await listSeries(server, 'pet_adoption_request_duration_seconds_count'), [
      'pet_adoption_request_duration_seconds_count{operation="createPet",outcome="success"} 2',
      'pet_adoption_request_duration_seconds_count{operation="getPet",outcome="success"} 2',
      'pet_adoption_request_duration_seconds_count{operation="listPets",outcome="success"} 2',
    ])
  })

  test('counts requests with unknown paths', async (t, cwd) => {
    const server = await startRecipe(t, cwd, 'prometheus')
    for (const path of ['/v1/cats', '/v1/dogs/1']) await fetch(`${server.origin}${path}`, { headers })
    assert.deepEqual(await listSeries(server, 'pet_adoption_requests_total'), [
      'pet_adoption_requests_total{operation="none",status="404"} 2',
    ])
  })
})

describe('Sentry', () => {
  test('receives errors with the request ID, but without the API key', async (t, cwd) => {
    const { port, received } = await startCollector(t)
    const server = await startRecipe(t, cwd, 'sentry', { SENTRY_DSN: `http://public@127.0.0.1:${port}/1` })
    assert.equal((await fetch(`${server.origin}/v1/pets/13`, { headers })).status, 500)
    assert.equal((await fetch(`${server.origin}/v1/pets/14`, { headers })).status, 404)
    await server.stop()
    const events = received.flatMap(({ items }) => items.map(Object)).filter((item) => 'exception' in item)
    assert.deepEqual(
      events.map(({ exception, tags }) => [
        exception.values.map(({ value }: { value: string }) => value),
        tags,
      ]),
      [
        [
          ['the database is unavailable'],
          { request_id: 'request-1', operation: 'getPet', caller: 'shelter' },
        ],
      ],
    )
    assert.ok(!JSON.stringify(received).includes(apiKey))
  })
})
