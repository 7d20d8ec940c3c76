import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from '../../../../core/openapi.ts'
import { stop } from '../../testing/command.ts'
import { baseAddressOf, start } from '../../testing/program.ts'
import { send } from '../../testing/request.ts'

const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' }

async function serving(
  commandLine: string,
  check: (origin: string, output: string) => Promise<void>,
): Promise<void> {
  const server = start(`--port 0 --memory ${commandLine}`, { env })
  try {
    const base = await baseAddressOf(server)
    await check(new URL(base).origin, server.stdout.text)
  } finally {
    await stop(server)
  }
}

test('the server describes itself at /openapi.json, without a key, and a log in JSON has the address of the documentation', () =>
  serving('--base-path /animals/v1 --log json', async (origin, output) => {
    const { status, headers, body } = await send(`${origin}/openapi.json`)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json')
    assert.ok(headers['x-ratelimit-limit'])
    const { servers, ...description } = JSON.parse(body)
    assert.deepEqual(servers, [{ url: `${origin}/animals/v1` }])
    const { servers: relative, ...expected } = openapi({ basePath: '/animals/v1' })
    assert.deepEqual([description, relative], [expected, [{ url: '/animals/v1' }]])
    assert.equal(headers.link, '</docs>; rel="service-doc"')
    assert.ok(output.includes(`"docs":"${origin}/docs"`))
  }))

test('behind a proxy, the description does not take the address of the request for that of the service', () =>
  serving('--trust-proxy 1', async (origin) => {
    assert.deepEqual(JSON.parse((await send(`${origin}/openapi.json`)).body).servers, [{ url: '/v1' }])
  }))

test('it serves the documentation at /docs, and announces it at the start', () =>
  serving('', async (origin, output) => {
    const { status, headers, body } = await send(`${origin}/docs`)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
    assert.match(body, /^<!doctype html>/)
    assert.ok(output.includes(`documentation at ${origin}/docs\n`))
    const { status: rootStatus, headers: rootHeaders } = await send(`${origin}/`)
    assert.deepEqual([rootStatus, rootHeaders.location], [302, '/docs'])
  }))

test('--no-docs leaves out the page and every link to it, not the description', () =>
  serving('--no-docs', async (origin, output) => {
    assert.equal((await send(`${origin}/docs`)).status, 404)
    const { status, headers, body } = await send(`${origin}/openapi.json`)
    assert.equal(status, 200)
    assert.doesNotMatch(JSON.stringify(headers) + body + output, /\/docs/)
  }))
