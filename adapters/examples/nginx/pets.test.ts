import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../../contracts/testing/free-port.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { nginx } from '../testing/parts.ts'
import { assertFollowsEveryRule, key } from '../testing/rules.ts'
import { serving } from '../testing/serving.ts'

const test = testWith(nginx)
const folder = mkdtempSync(join(tmpdir(), 'pets-nginx-'))
after(() => rmSync(folder, { recursive: true }))

/** Returns the configuration of an nginx that writes only to the folder of the test. */
function configuration(servicePort: string, nginxPort: number): string {
  const pets = readFileSync(new URL('pets.conf', import.meta.url), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
    .replace('listen 8081', `listen 127.0.0.1:${nginxPort}`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {}
    http { access_log off; ${temporary}
    ${pets} }`
}

test('behind nginx, the service follows every rule, and counts anonymous clients by the address that nginx sees', async (t, program) => {
  const flags = ['--port', '{port}', '--trust-proxy', '1', '--memory', '--log', 'silent']
  const { origin: service } = await serving(
    t,
    [process.execPath, 'dist/adapters/standalone/main.js', ...flags],
    {
      env: { PET_ADOPTION_API_KEY: key, PET_ADOPTION_PLAN: 'pro' },
    },
  )
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configuration(new URL(service).port, port))
  const flagsOfNginx = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']
  const { origin } = await serving(t, [program, ...flagsOfNginx], { port })
  await assertFollowsEveryRule(origin)

  const remaining = async (localAddress: string, claimed: string) => {
    const request = get(`${origin}/v1/pets`, { localAddress, headers: { 'X-Forwarded-For': claimed } })
    const [response]: IncomingMessage[] = await once(request, 'response')
    response?.resume()
    return response?.headers['x-ratelimit-remaining']
  }
  assert.equal(await remaining('127.0.0.2', '198.51.100.1'), '59')
  assert.equal(await remaining('127.0.0.2', '198.51.100.2'), '58')
  assert.equal(await remaining('127.0.0.3', '198.51.100.1'), '59')

  const large = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: ' '.repeat(100_000),
  })
  const { code } = Object(await large.json())
  assert.deepEqual([large.status, code], [413, 'body_too_large'])
})
