import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from '../contracts/testing/free-port.ts'
import { testWith } from '../contracts/testing/resource.ts'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { findProgram, root } from '../examples/testing/parts.ts'
import { missingFeatures } from '../testing/machine.ts'
import { quoteForShell } from './cli/process-context.ts'
import { createKeyRecord } from './keys/key-list.ts'
import { formatProgram } from './run.ts'
import { stop } from './testing/command.ts'
import { openConnection } from './testing/connection.ts'
import { launch, launchServer, mainFile } from './testing/launch.ts'
import { parseRecords } from './testing/program.ts'
import { send } from './testing/request.ts'

const folder = createTemporaryFolder()
const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' }

const upload = (length: number) =>
  'POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer the-key-of-the-tests\r\n' +
  `Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`

const elsewhere = join('/', 'usr', 'bin', 'pets')
describe('the program', () => {
  for (const [runtime, script, shown] of [
    ['node', join(folder, 'pets'), 'node pets'],
    ['node', join(folder, 'my pets.js'), `node ${quoteForShell('my pets.js')}`],
    ['node', elsewhere, `node ${elsewhere}`],
    ['bun', join(folder, 'pets'), 'bun pets'],
    ['deno', join(folder, 'main.js'), 'deno run -A main.js'],
    ['deno', join(folder, '.deno', 'main.js'), 'deno run -A npm:pet-adoption-service/pet-adoption-service'],
  ] as const)
    it(`names the command that starts it: ${shown}`, () => {
      assert.equal(formatProgram(script, folder, { ...process.versions, [runtime]: '2.9.5' }), shown)
    })

  for (const [platform, word, expected] of [
    ['linux', 'animals.sqlite', 'animals.sqlite'],
    ['linux', "my 'animals' $x", "'my '\\''animals'\\'' $x'"],
    ['win32', 'C:\\my animals\\a.sqlite', '"C:\\my animals\\a.sqlite"'],
  ] as const)
    it(`quotes a path on ${platform}: ${expected}`, () => {
      assert.equal(quoteForShell(word, platform), expected)
    })

  it('prints a curl command that works', { skip: missingFeatures.sh }, async (t) => {
    const { child, stdout, end } = await launchServer('serve --port 0 --memory')
    const [line = ''] = /^ +curl .*$/m.exec(stdout.text) ?? []
    const { status, stdout: body } = spawnSync('/bin/sh', ['-c', `${line} --silent`], { encoding: 'utf8' })
    if (status === 127) t.skip('this machine has no curl')
    else assert.equal(body, '[]')
    await stop({ child, end })
  })

  it('reloads keys on SIGHUP, and finishes requests after SIGTERM', {
    skip: missingFeatures.signals,
  }, async () => {
    const path = join(folder, 'keys.json')
    const write = (key: string) =>
      writeFileSync(path, JSON.stringify({ keys: [createKeyRecord('me', key, { plan: 'pro' })] }))
    write('old-key')
    const { child, base, stdout, stderr, end } = await launchServer(
      `--port 0 --memory --log=json --keys ${path}`,
    )
    assert.equal((await send(`${base}/pets`, { key: 'old-key' })).status, 200)
    write('the-key-of-the-tests')
    child.kill('SIGHUP')
    await stdout.until(/(?:keys-read.*){2}/s)
    assert.equal((await send(`${base}/pets`, { key: 'old-key' })).status, 401)

    const pet = '{"name":"the-body","categoryId":1}'
    const { socket, received, closed } = await openConnection(Number(new URL(base).port))
    socket.write(upload(pet.length))
    await received.until(/100 Continue/)
    child.kill('SIGTERM')
    await stdout.until(/"stopping"/)
    const ready = await send(new URL('/readyz', base).href)
    assert.deepEqual([ready.status, ready.headers.connection], [503, 'close'])
    socket.write(pet)
    await closed
    assert.match(received.text, /201 Created.*Connection: close.*Remaining: 298/s)
    assert.equal(await end, 0)
    assert.deepEqual(
      parseRecords(stdout).map(({ event, status }) => status ?? event),
      ['keys-read', 'listening', 200, 'keys-read', 401, 'stopping', 503, 201, 'stopped'],
    )
    const warnings = parseRecords(stderr).map(({ event }) => event)
    // The test may run in a container.
    assert.deepEqual(
      warnings.filter((event) => event !== 'container-loopback'),
      [],
    )
    assert.doesNotMatch(stdout.text + stderr.text, /old-key|the-key-of-the-tests|the-body/)
  })

  it("starts with Node's permission model", async () => {
    const knows = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag)
    const readable = ['dist', 'package.json', 'adapters/standalone'].map(
      (path) => `--allow-fs-read=${join(root, path)}`,
    )
    const net = knows('--allow-net') ? ['--allow-net'] : []
    const permission = knows('--permission') ? '--permission' : '--experimental-permission'
    const NODE_OPTIONS = [permission, ...readable, ...net].map((option) => JSON.stringify(option)).join(' ')
    const { child, base, end } = await launchServer('--port 0 --memory', { env: { NODE_OPTIONS } })
    for (const path of ['/docs', '/readyz']) assert.equal((await send(new URL(path, base).href)).status, 200)
    await stop({ child, end })
  })

  it('exits with 2 on an unsupported Node version', () => {
    const old = `Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } })`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, mainFile]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual(
      [status, stderr],
      [2, 'pet-adoption-service: this is Node 18.20.8: install Node 20.19 or later\n'],
    )
  })

  it('stops immediately on a second signal', { skip: missingFeatures.signals }, async () => {
    const { child, base, stdout, stderr, end } = await launchServer('--port 0 --memory', { env })
    const { socket, received, closed } = await openConnection(Number(new URL(base).port))
    socket.write(upload(10))
    await received.until(/100 Continue/)
    child.kill('SIGINT')
    await stdout.until(/SIGINT: finishing the requests in flight/)
    child.kill('SIGTERM')
    assert.equal(await end, 1)
    assert.match(stderr.text, /error: SIGTERM: stopped immediately/)
    await closed
  })

  testWith(findProgram('prlimit'))('completes a log record that a full disk cut', async (_t, prlimit) => {
    const path = join(folder, 'log.json')
    const log = openSync(path, 'a')
    const port = await findFreePort()
    const server = launch(`--port ${port} --log json`, {
      env: { ...env, PET_ADOPTION_MEMORY: 'on' },
      stdout: log,
      shell: 'ulimit -S -f 4',
    })
    const list = () => send(`http://127.0.0.1:${port}/v1/pets`, { key: env.PET_ADOPTION_API_KEY })
    while (!readFileSync(path, 'utf8').includes('"listening"')) await setTimeout(20)
    while (!server.stderr.text.includes('"log-lost"')) await list()
    assert.doesNotMatch(readFileSync(path, 'utf8'), /\n$/) // the last record is cut
    execFileSync(prlimit, ['--pid', String(server.child.pid), '--fsize=unlimited'])
    await list()
    await stop(server)
    closeSync(log)
    const records = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event)
    assert.deepEqual(records.slice(-3), ['request', 'stopping', 'stopped'])
  })

  it('continues if stdout is full', {
    skip: !existsSync('/dev/full') && 'no /dev/full on this system',
  }, async () => {
    const full = openSync('/dev/full', 'w')
    const { child, stderr, end } = launch('--port 0 --memory --log json', { env, stdout: full })
    await stderr.until(/"event":"log-lost","message":"log lines on stdout were lost: ENOSPC/)
    await stop({ child, end })
    closeSync(full)
  })
})
