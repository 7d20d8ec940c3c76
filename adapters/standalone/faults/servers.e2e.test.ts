import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { unlimitedEnv } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { openConnection } from '../testing/connection.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { parseRecords } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { runFault } from './testing/run-fault.ts'

const key = 'the-key-of-the-tests'

test('a server responds while nothing reads its log', async (t) => {
  const { base, ...server } = await launchServer('--port 0 --memory --metrics --log json', {
    env: unlimitedEnv,
  })
  const { stdout } = server.child
  assert.ok(stdout)
  const load = startLoad(base, { listClients: 24 })
  const countLostLines = async () => {
    const { body } = await send(new URL('/metrics', base).href)
    return Number(/^pet_adoption_log_lines_lost_total (\d+)$/m.exec(body)?.[1])
  }
  const { list, create } = await runFault(t, load, base, {
    async fail() {
      stdout.unpipe().pause()
      while ((await countLostLines()) === 0) await setTimeout(1_100) // `/metrics` allows 60 requests per minute
    },
    durationMs: 1_000,
    repair: () => stdout.pipe(server.stdout),
  })
  assert.deepEqual([Object.keys(list.results), Object.keys(create.results)], [['200'], ['201']])
  await server.stderr.until(/"event":"log-lost"/)
  t.diagnostic(`${await countLostLines()} log lines lost`)
  assert.ok(Math.max(list.longestMs, create.longestMs) < 3_000)
  await stop(server)
  parseRecords(server.stdout) // throws if a line is incomplete
})

test('a server without free file descriptors serves its open connections', async (t) => {
  const options = { env: unlimitedEnv, shell: 'ulimit -n 96' }
  const { base, ...server } = await launchServer('--port 0 --memory --metrics', options)
  const port = Number(new URL(base).port)
  const load = startLoad(base)
  await load.waitForMore(1, 'create')
  const open = await Promise.all(Array.from({ length: 40 }, () => openConnection(port)))
  await Promise.race(open.map(({ closed }) => closed))
  const requestOnNewConnection = () =>
    send(`${base}/pets`, { key }).then(
      ({ status }) => status,
      () => 'closed',
    )
  const refused = await Promise.all(Array.from({ length: 10 }, requestOnNewConnection))
  for (const { socket } of open) socket.destroy()
  const freedAt = performance.now()
  while ((await requestOnNewConnection()) !== 200) await setTimeout(5)
  const recoveryMs = performance.now() - freedAt
  await load.end()
  const failures = load.requests.filter(({ result }) => !(Number(result) < 300))
  t.diagnostic(
    `${refused.length} of ${refused.length} new connections closed; ${failures.length} of ${load.requests.length} requests on open connections failed; new connections are served again after ${recoveryMs.toFixed()} ms`,
  )
  assert.deepEqual(new Set(refused), new Set(['closed']))
  assert.deepEqual(failures, [])
  assert.ok(recoveryMs < 3_000)
  await server.stderr.until(/warning: a connection was closed: the maximum of 32 connections is open/)
  const { body } = await send(new URL('/metrics', base).href)
  assert.match(body, /^pet_adoption_connections_refused_total [1-9]\d*$/m)
  assert.match(body, /^process_max_fds 96$/m)
  await stop(server)
})
