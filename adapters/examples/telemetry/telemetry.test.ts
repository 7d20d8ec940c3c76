import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { testWith } from '../../contracts/testing/part.ts'
import { listen, shut } from '../../testing/listen.ts'
import { exampleWithPackages } from '../testing/parts.ts'
import { key } from '../testing/rules.ts'
import { nodeWithTypeScript, type Serving, serving } from '../testing/serving.ts'

const test = testWith(exampleWithPackages('telemetry'))
const headers = { Authorization: `Bearer ${key}` }
const traceIds = ['4bf92f3577b34da6a3ce929d0e0e4736', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'] as const

/** Starts the server with the hooks of a recipe, which is loaded first. */
function start(t: TestContext, cwd: string, recipe: string, env: Readonly<Record<string, string>> = {}) {
  const command = [...nodeWithTypeScript, '--import', `./${recipe}.ts`, 'testing/server.ts'] as const
  return serving(t, command, { cwd, env: { HOOKS: recipe, ...env } })
}

/** Starts a server that stores the data of an SDK: JSON, or lines of JSON. */
async function startReceiver(t: TestContext) {
  const received: { readonly path: string; readonly items: readonly unknown[] }[] = []
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    const text = (req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
    const items = text.split('\n').filter((line) => line !== '')
    received.push({ path: req.url ?? '', items: items.map((line) => JSON.parse(line)) })
    res.setHeader('Content-Type', 'application/json').end('{}')
  })
  const port = await listen(server)
  t.after(() => shut(server))
  return { port, received }
}

/** Sends requests that succeed: two animals are added, listed, and read. */
async function useEveryOperation({ origin }: Serving): Promise<void> {
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

/** An attribute of OTLP. */
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}

const routeOf = ({ attributes }: { readonly attributes: readonly Attribute[] }) =>
  attributes.find(({ key }) => key === 'http.route')?.value.stringValue

describe('OpenTelemetry', () => {
  /** Runs requests, and returns the data that the SDK has sent to its collector when the server has ended. */
  async function collect(t: TestContext, cwd: string, use: (server: Serving) => Promise<void>) {
    const { port, received } = await startReceiver(t)
    const server = await start(t, cwd, 'opentelemetry', {
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    })
    await use(server)
    await server.end()
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

  test('names each span by method and route', async (t, cwd) => {
    const { spans } = await collect(t, cwd, useEveryOperation)
    assert.deepEqual(
      spans.map((span) => [span.name, routeOf(span)]),
      [1, 2].flatMap(() => [
        ['POST /v1/pets', '/v1/pets'],
        ['GET /v1/pets/{petId}', '/v1/pets/{petId}'],
        ['GET /v1/pets', '/v1/pets'],
      ]),
    )
  })

  test('has one duration metric for each operation', async (t, cwd) => {
    const { metrics } = await collect(t, cwd, useEveryOperation)
    const [duration, ...others] = metrics.filter(({ name }) => name === 'http.server.request.duration')
    assert.deepEqual(others, [])
    assert.deepEqual(
      duration.histogram.dataPoints.map(routeOf).sort(),
      ['/v1/pets', '/v1/pets', '/v1/pets/{petId}'], // GET and POST
    )
  })

  test('logs the trace id of each of several requests at once', async (t, cwd) => {
    const { spans, lines } = await collect(t, cwd, async ({ origin }) => {
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
  /** Returns the lines of a metric. */
  async function seriesOf({ origin }: Serving, name: string): Promise<readonly string[]> {
    const text = await (await fetch(`${origin}/metrics`)).text()
    return text.split('\n').filter((line) => line.startsWith(`${name}{`))
  }

  test('has one series for each operation, whatever the path', async (t, cwd) => {
    const server = await start(t, cwd, 'prometheus')
    await useEveryOperation(server)
    assert.deepEqual(await seriesOf(server, 'pet_adoption_request_duration_seconds_count'), [
      'pet_adoption_request_duration_seconds_count{operation="createPet",outcome="success"} 2',
      'pet_adoption_request_duration_seconds_count{operation="getPet",outcome="success"} 2',
      'pet_adoption_request_duration_seconds_count{operation="listPets",outcome="success"} 2',
    ])
  })

  test('counts every unknown path in one series', async (t, cwd) => {
    const server = await start(t, cwd, 'prometheus')
    for (const path of ['/v1/cats', '/v1/dogs/1']) await fetch(`${server.origin}${path}`, { headers })
    assert.deepEqual(await seriesOf(server, 'pet_adoption_requests_total'), [
      'pet_adoption_requests_total{operation="none",status="404"} 2',
    ])
  })
})

describe('Sentry', () => {
  test('receives the cause of a 500, and the ids of its request', async (t, cwd) => {
    const { port, received } = await startReceiver(t)
    const server = await start(t, cwd, 'sentry', { SENTRY_DSN: `http://public@127.0.0.1:${port}/1` })
    assert.equal((await fetch(`${server.origin}/v1/pets/13`, { headers })).status, 500)
    assert.equal((await fetch(`${server.origin}/v1/pets/14`, { headers })).status, 404)
    await server.end()
    const events = received.flatMap(({ items }) => items.map(Object)).filter((item) => 'exception' in item)
    assert.deepEqual(
      events.map(({ exception, tags }) => [
        exception.values.map(({ value }: { value: string }) => value),
        tags,
      ]),
      [[['the database is away'], { request_id: 'request-1', operation: 'getPet', caller: 'shelter' }]],
    )
    assert.ok(!JSON.stringify(received).includes(key))
  })
})
