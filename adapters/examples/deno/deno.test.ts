import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { combineResources, testWith } from '../../contracts/testing/resource.ts'
import { createTemporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { send } from '../../standalone/testing/request.ts'
import { deno, findExampleFolder, root } from '../testing/parts.ts'
import { createDenoCommand, startForTest } from '../testing/serving.ts'

const test = testWith(deno)
const cwd = createTemporaryFolder()

test('the Unix socket example on Deno limits forwarded addresses', async (t, program) => {
  const socketPath = join(cwd, 'pets.sock')
  const flags = ['--allow-net', `--allow-read=${socketPath}`, `--allow-write=${socketPath}`]
  const script = join(root, 'adapters/examples/deno/socket.ts')
  const child = spawn(program, ['run', ...flags, script], { cwd, stdio: 'ignore' })
  t.after(() => child.kill())
  for (const deadline = Date.now() + 20_000; !existsSync(socketPath); await sleep(20))
    assert.ok(child.exitCode === null && Date.now() < deadline, 'Deno is not listening')
  const remaining = async (forwardedFor: string) => {
    const headers = { 'X-Forwarded-For': forwardedFor }
    const response = await send('http://pets.test/v1/pets', { socketPath, headers })
    return response.headers['x-ratelimit-remaining']
  }
  assert.equal(await remaining('198.51.100.1'), '59')
  assert.equal(await remaining('198.51.100.1'), '58')
  assert.equal(await remaining('198.51.100.2'), '59')
})

const malformed = 'GET /v1/pets HTTP/1.1\r\nno header\r\n\r\n'
const oversized = `GET /v1/pets HTTP/1.1\r\nHost: pets\r\nConnection: close\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
for (const [mount, file, ...responses] of [
  ['createPetServer', 'node', '400 [^]*"code":"invalid_request"', '431 [^]*"code":"headers_too_large"'],
  ['Deno.serve', 'mounting/deno', '400 [^]*content-length: 0\r\n', '401 [^]*"code":"missing_api_key"'],
] as const)
  testWith(combineResources(deno, findExampleFolder('mounting')))(
    `${mount} on Deno responds to malformed and oversized requests`,
    async (t, [program]) => {
      const { origin } = await startForTest(t, createDenoCommand(program, file))
      for (const [i, request] of [malformed, oversized].entries()) {
        const socket = connect(Number(new URL(origin).port), '127.0.0.1')
        socket.write(request)
        const response = await text(socket)
        assert.match(response, new RegExp(`^HTTP/1.1 ${responses[i]}`))
        assert.equal(/X-RateLimit-Remaining: 5[89]/i.test(response), response.includes('"code"'))
      }
    },
  )

test('the node:test example passes on Deno', (_, program) => {
  const args = ['test', 'adapters/examples/testing-app/node-test.ts']
  const env = { ...process.env, NO_COLOR: '1', NODE_TEST_CONTEXT: undefined }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', env })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /ok \| 1 passed/)
})
