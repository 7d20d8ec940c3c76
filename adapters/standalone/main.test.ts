import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { lacks } from '../testing/machine.ts'
import { quoted } from './cli/process-context.ts'
import { createKeyRecord } from './keys/key.ts'
import { formatProgram } from './run.ts'
import { stop } from './testing/command.ts'
import { openConnection } from './testing/connection.ts'
import { launch, launchServer, main } from './testing/launch.ts'
import { parseRecords } from './testing/program.ts'
import { send } from './testing/request.ts'

const folder = temporaryFolder()
const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' }

const upload = (length: number) =>
  'POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer the-key-of-the-tests\r\n' +
  `Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`

const elsewhere = join('/', 'usr', 'bin', 'pets')
describe('the program', () => {
  for (const [runtime, script, program] of [
    ['node', join(folder, 'pets'), 'node pets'],
    ['node', join(folder, 'my pets.js'), `node ${quoted('my pets.js')}`],
    ['node', elsewhere, `node ${elsewhere}`],
    ['bun', join(folder, 'pets'), 'bun pets'],
    ['deno', join(folder, 'main.js'), 'deno run -A main.js'],
    ['deno', join(folder, '.deno', 'main.js'), 'deno run -A npm:pet-adoption-service/pet-adoption-service'],
  ] as const)
    it(`prints the command line that it was started with: ${program}`, () => {
      assert.equal(formatProgram(script, folder, { ...process.versions, [runtime]: '2.9.5' }), program)
    })

  for (const [platform, word, expected] of [
    ['linux', 'animals.sqlite', 'animals.sqlite'],
    ['linux', "my 'animals' $x", "'my '\\''animals'\\'' $x'"],
    ['win32', 'C:\\my animals\\a.sqlite', '"C:\\my animals\\a.sqlite"'],
  ] as const)
    it(`prints a path that can be pasted on ${platform}: ${expected}`, () => {
      assert.equal(quoted(word, platform), expected)
    })

  it('prints a curl line that works in a shell', { skip: lacks.sh }, async (t) => {
    const { child, stdout, end } = await launchServer('serve --port 0 --memory')
    const [line = ''] = /^ +curl .*$/m.exec(stdout.text) ?? []
    const { status, stdout: body } = spawnSync('/bin/sh', ['-c', `${line} --silent`], { encoding: 'utf8' })
    if (status === 127) t.skip('this machine has no curl')
    else assert.equal(body, '[]')
    await stop({ child, end })
  })

  it('reloads keys on SIGHUP, drains on SIGTERM, and logs no key', {
    skip: lacks.signals,
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
    // This machine may be a container.
    assert.deepEqual(
      warnings.filter((event) => event !== 'container-loopback'),
      [],
    )
    assert.doesNotMatch(stdout.text + stderr.text, /old-key|the-key-of-the-tests|the-body/)
  })

  it('names the required version on an older Node', () => {
    const old = `Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } })`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, main]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual(
      [status, stderr],
      [2, 'pet-adoption-service: this is Node 18.20.8: install Node 20.19 or later\n'],
    )
  })

  it('ends immediately at a second signal', { skip: lacks.signals }, async () => {
    const { child, base, stdout, stderr, end } = await launchServer('--port 0 --memory', { env })
    const { socket, received, closed } = await openConnection(Number(new URL(base).port))
    socket.write(upload(10))
    await received.until(/100 Continue/)
    child.kill('SIGINT')
    await stdout.until(/SIGINT: finishing the requests in flight/)
    child.kill('SIGTERM')
    assert.equal(await end, 1)
    assert.match(stderr.text, /error: SIGTERM came again/)
    await closed
  })

  it('reports a full disk under the log on stderr, and goes on', {
    skip: !existsSync('/dev/full') && 'no /dev/full on this system',
  }, async () => {
    const full = openSync('/dev/full', 'w')
    const { child, stderr, end } = launch('--port 0 --memory --log json', { env, stdout: full })
    await stderr.until(/"event":"log-lost","message":"lines of the log on stdout are lost: ENOSPC/)
    await stop({ child, end })
    closeSync(full)
  })
})
