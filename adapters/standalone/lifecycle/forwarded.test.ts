import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { watchForwarded } from './forwarded.ts'

const forwarded = { 'x-forwarded-for': '192.0.2.1' }

/** Returns the warnings of a server that receives requests with these headers, and how many still listen to it. */
function watched(requests: readonly Readonly<Record<string, string>>[]) {
  const server = createServer()
  const warnings: string[] = []
  watchForwarded(server, (text) => warnings.push(text))
  for (const headers of requests) server.emit('request', { headers } as unknown as IncomingMessage)
  return { warnings, listeners: server.listenerCount('request') }
}

test('a request through a proxy that is not trusted is told once, and then no request is looked at', () => {
  const { warnings, listeners } = watched([{}, forwarded, forwarded])
  assert.equal(warnings.length, 1)
  assert.match(String(warnings), /X-Forwarded-For.*--trust-proxy 1/)
  assert.equal(listeners, 0)
})

test('after a thousand requests without a proxy, none is looked at', () => {
  const direct = new Array<object>(1_000).fill({}) as Readonly<Record<string, string>>[]
  assert.deepEqual(watched(direct.slice(1)), { warnings: [], listeners: 1 })
  assert.deepEqual(watched([...direct, forwarded]), { warnings: [], listeners: 0 })
})

test('a server warns of a proxy, unless it was told how many there are', async () => {
  for (const [flags, warnings] of [
    ['', 1],
    ['--trust-proxy 0', 0],
  ] as const) {
    const server = await startServer(`--port 0 ${flags}`)
    for (let i = 0; i < 2; i++)
      assert.equal((await fetch(`${server.base}/pets`, { headers: forwarded })).status, 401)
    await stop(server)
    const found = server.stderr.text.match(/warning: a request came with X-Forwarded-For/g) ?? []
    assert.equal(found.length, warnings)
  }
})
