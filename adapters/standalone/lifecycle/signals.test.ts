import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { missingFeatures } from '../../testing/machine.ts'
import { launch, launchServer } from '../testing/launch.ts'
import { send } from '../testing/request.ts'

/** Starts a database that accepts connections and never responds. */
async function startSilentDatabase(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const connected = once(server, 'connection').then(([socket]) => t.after(() => socket.destroy()))
  const { port } = server.address() as AddressInfo // a TCP server has an AddressInfo
  return { flags: `--postgres postgres://127.0.0.1:${port}/pets`, connected }
}

/** Makes the program process 1 of a PID namespace, as in a container. */
const asFirstProcess = 'set -- unshare --user --map-root-user --pid --fork --kill-child "$@"'

const listChildren = (pid: number | undefined) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

describe('the program', { skip: missingFeatures.signals }, () => {
  it('continues on SIGHUP without a keys file', async () => {
    const { child, base, end } = await launchServer('--port 0 --memory')
    child.kill('SIGHUP')
    assert.equal((await send(`${base}/pets`)).status, 401)
    child.kill('SIGTERM')
    assert.equal(await end, 0)
  })

  it('does not open the inspector on SIGUSR1', async () => {
    const { child, base, stderr, end } = await launchServer('--port 0 --memory')
    child.kill('SIGUSR1')
    for (let i = 0; i < 20; i++) assert.equal((await send(`${base}/pets`)).status, 401)
    child.kill('SIGTERM')
    assert.equal(await end, 0)
    assert.doesNotMatch(stderr.text, /Debugger/)
  })

  it('stops on SIGTERM while it waits for its database', async (t) => {
    const { flags, connected } = await startSilentDatabase(t)
    const { child, end } = launch(`--port 0 ${flags}`)
    await connected
    child.kill('SIGHUP')
    child.kill('SIGTERM')
    assert.equal(await end, 'SIGTERM')
  })

  for (const [command, signal, code] of [
    ['serve --port 0', 'SIGTERM', 143],
    ['import - ', 'SIGINT', 130],
    ['keys list', 'SIGTERM', 143],
    ['migrate', 'SIGINT', 130],
  ] as const)
    it(`stops on ${signal} as process 1, in "${command}"`, {
      skip: missingFeatures.pidNamespaces,
    }, async (t) => {
      const { flags, connected } = await startSilentDatabase(t)
      const { child, end } = launch(`${command} ${flags}`, { shell: asFirstProcess })
      await connected
      for (const pid of listChildren(child.pid)) process.kill(pid, signal)
      assert.equal(await end, code)
    })

  it('sends pending responses before it stops as process 1', {
    skip: missingFeatures.pidNamespaces,
  }, async () => {
    const { child, stdout, end } = await launchServer('--port 0 --memory', { shell: asFirstProcess })
    for (const pid of listChildren(child.pid)) process.kill(pid, 'SIGTERM')
    assert.equal(await end, 0)
    assert.match(stdout.text, /every request has its response/)
  })
})
