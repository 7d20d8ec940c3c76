// The tests of two processes on one port, for a network namespace of their own: lifecycle/shared-port.fleet.test.ts runs them there, once for each value of
// net.ipv4.tcp_migrate_req. The variable NODE_OF_SERVERS has the Node that runs the servers.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../../contracts/testing/free-port.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { unlimited } from './animals.ts'
import { stop } from './command.ts'
import { type Launched, launch } from './launch.ts'
import { startLoad } from './load.ts'
import { baseAddressOf } from './program.ts'
import { send } from './request.ts'

const migrates = readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim() === '1'
const node = process.env.NODE_OF_SERVERS ?? process.execPath
const file = temporaryFiles()()
const key = 'the-key-of-the-tests'
const port = await freePort()
const base = `http://127.0.0.1:${port}/v1`

async function start(): Promise<Launched> {
  const server = launch(`--port ${port} --reuse-port --data ${file} --log silent`, { env: unlimited, node })
  assert.equal(await baseAddressOf(server), base)
  return server
}

test('restarts of one of two processes', async (t) => {
  let [older, newer] = [await start(), await start()]
  const load = startLoad(base, { key, fresh: 24, lists: 6, creates: 0 })
  for (let i = 0; i < 5; i++) {
    await load.more(200)
    await stop(older)
    ;[older, newer] = [newer, await start()]
  }
  const failures = await load.end()
  t.diagnostic(`5 restarts, ${load.exchanges.length} requests: failures ${JSON.stringify(failures)}`)
  if (migrates) assert.deepEqual(failures, {})
  await stop(older, newer)
})

test('connections that wait at a process that is killed', async (t) => {
  const [killed, other] = [await start(), await start()]
  killed.child.kill('SIGSTOP')
  const responses = Array.from({ length: 40 }, () =>
    send(`${base}/pets`, { key }).then(
      ({ status }) => status,
      ({ code }: NodeJS.ErrnoException) => code,
    ),
  )
  // The other one has responded to its share, so that the rest waits.
  await Promise.race(responses)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  // Linux wakes the other one with the next connection.
  const all = Promise.all(responses)
  for (let done = false; !done; ) {
    await send(`${base}/pets`, { key })
    done = await Promise.race([
      all.then(() => true),
      new Promise<false>((resolve) => setImmediate(resolve, false)),
    ])
  }
  const lost = (await all).filter((status) => status !== 200)
  t.diagnostic(`of 40 connections, ${lost.length} were lost`)
  assert.ok(migrates ? lost.length === 0 : lost.length > 0, lost.join())
  await stop(other)
})
