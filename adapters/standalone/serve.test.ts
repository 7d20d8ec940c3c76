import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { missingFeatures } from '../testing/machine.ts'
import { findSqlite } from './load-driver.ts'
import { stop } from './testing/command.ts'
import { openConnection } from './testing/connection.ts'
import { parseRecords, readBaseUrl, start, startServer } from './testing/program.ts'
import { send } from './testing/request.ts'

const folder = createTemporaryFolder()

const key = 'the-key-of-the-tests'
const env = { PET_ADOPTION_API_KEY: key }
const pet = '{"name":"Ada","categoryId":1}'

const parsePort = (base: string) => Number(new URL(base).port)
const resolvePage = (base: string, path: string) => new URL(path, base).href

describe('the server', () => {
  it('stores animals and returns them', async () => {
    const host = missingFeatures.ipv6 ? '127.0.0.1' : '::1'
    const { base, ...server } = await startServer(`--port 0 --host ${host} --base-path /pets/v2`, { env })
    assert.match(base, /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\/pets\/v2$/)
    const added = await send(`${base}/pets`, { method: 'POST', key, body: pet })
    assert.deepEqual([added.status, added.headers['x-ratelimit-limit']], [201, '1000'])
    assert.deepEqual(JSON.parse((await send(`${base}/pets`, { key })).body), [JSON.parse(added.body)])
    assert.equal((await send(`${base}/pets/1`, { key })).body, added.body)
    assert.equal((await send(`${base}/pets`, { key: 'another' })).status, 401)
    assert.equal((await send(resolvePage(base, '/elsewhere'))).status, 404)
    await stop(server)
  })

  it('does not start if its port is in use', async () => {
    const { base, ...server } = await startServer('--port 0 --memory', { env })
    const file = join(folder, 'unused.sqlite')
    const port = parsePort(base)
    for (const flags of [`--port ${port}`, `--port 0 --metrics-listen 127.0.0.1:${port}`]) {
      const other = start(`${flags} ${findSqlite() ? `--data ${file}` : '--memory'}`, { env })
      assert.equal(await other.exitCode, 1)
      assert.ok(!existsSync(`${file}-wal`)) // SQLite removes it with the last connection
      assert.equal(other.stdout.text, '')
      assert.ok(other.stderr.text.includes(`port ${port} of 127.0.0.1: it is in use`))
    }
    await stop(server)
  })

  it('warns in a container if it listens on loopback', async () => {
    const server = await startServer('--port 0', { env, files: ['/.dockerenv'] })
    assert.match(server.stderr.text, /^\S+ warning: nothing outside this container can reach 127\.0\.0\.1: /m)
    await stop(server)
  })

  it('creates a key if there is none, and logs requests without it', async () => {
    const { base, ...server } = await startServer('--port 0 --log json')
    const [made, ...others] = parseRecords(server.stderr)
    const text = String(made?.key)
    assert.equal(made?.curl, `curl -H "Authorization: Bearer ${text}" "${base}/pets"`)
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { 'x-request-id': 'forged', traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    const responses = [
      await send(`${base}/pets?after=7`, { key: text, headers }),
      await send(`${base}/pets`, { key: 'not-this-one' }),
      await send(resolvePage(base, '/readyz'), { headers }),
    ]
    await stop(server)
    const ids = responses.map((response) => response.headers['x-request-id'])
    assert.equal(new Set(ids).size, 3)
    const requests = parseRecords(server.stdout).filter(({ event }) => event === 'request')
    assert.deepEqual(
      requests.map(({ operation, status, code, caller, requestId }) => [
        operation,
        status,
        code ?? caller,
        requestId,
      ]),
      [
        ['listPets', 200, 'demo', ids[0]],
        ['listPets', 401, 'invalid_api_key', ids[1]],
        ['/readyz', 200, undefined, ids[2]],
      ],
    )
    assert.deepEqual(
      requests.map((request) => request.trace_id),
      [traceId, undefined, traceId],
    )
    assert.deepEqual([made?.event, others], ['key', []])
    assert.doesNotMatch(server.stdout.text, new RegExp(`${text}|not-this-one|after=7|forged`))
  })

  it('prints the new key even if the log is silent', async () => {
    const { base, ...server } = await startServer('--port 0 --log silent')
    const [, made = ''] = /Bearer (\S+)"/.exec(server.stderr.text) ?? []
    assert.equal((await send(`${base}/pets`, { key: made })).status, 200)
    await stop(server)
    assert.equal(server.stdout.lines.at(-1), `listening on ${base}`)
    assert.doesNotMatch(server.stdout.text, /listPets/)
  })

  it('warns once about a proxy that is not trusted', async () => {
    for (const [flag, times] of [
      ['', 1],
      ['--trust-proxy 0', 0],
    ] as const) {
      const { base, ...server } = await startServer(`--port 0 ${flag}`, { env })
      const headers = { 'x-forwarded-for': '192.0.2.1' }
      for (let i = 0; i < 2; i++) await send(`${base}/pets`, { headers })
      await stop(server)
      assert.equal(server.stderr.text.split('but no proxy is trusted').length - 1, times)
    }
  })

  it('warns 90 days before an operation is removed', async () => {
    const warning = 'warning: getPet returns 410 from 2030-12-05: callers must use /pets instead'
    for (const [time, isWarned] of [
      ['2030-09-05T23:59:59Z', false],
      ['2030-09-06T00:00:00Z', true],
      ['2030-12-05T00:00:00Z', true],
    ] as const) {
      const server = await startServer('--port 0 --memory', { env, clock: () => Date.parse(time) })
      await stop(server)
      assert.equal(server.stderr.text.includes(warning), isWarned)
    }
  })

  it('responds to a slow request before it stops', async () => {
    const server = start('--port 0', { env })
    const { socket, received, closed } = await openConnection(parsePort(await readBaseUrl(server)))
    server.events.emit('SIGTERM')
    socket.pause()
    socket.write('POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\n')
    await server.stdout.until(/createPet 401/)
    for (let sent = 0; sent < 40_000; sent += 10_000) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      socket.write('x'.repeat(10_000))
    }
    socket.resume()
    await closed
    assert.match(received.text, /Connection: close.*missing_api_key/s)
    assert.equal(await server.exitCode, 0)
  })
})
