import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { openConnection } from '../testing/connection.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { parseRecords } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { endure } from './testing/endure.ts'

const key = 'the-key-of-the-tests'

test('a stopped reader of the log delays no request; lost lines are counted', async (t) => {
  const { base, ...server } = await launchServer('--port 0 --memory --metrics --log json', { env: unlimited })
  const { stdout } = server.child
  assert.ok(stdout)
  const load = startLoad(base, { lists: 24 })
  const lost = async () => {
    const { body } = await send(new URL('/metrics', base).href)
    return Number(/^pet_adoption_log_lines_lost_total (\d+)$/m.exec(body)?.[1])
  }
  const { list, create } = await endure(t, load, base, {
    async fail() {
      stdout.unpipe().pause()
      while ((await lost()) === 0) await setTimeout(1_100) // the page has 60 readings a minute
    },
    ms: 1_000,
    repair: () => stdout.pipe(server.stdout),
  })
  assert.deepEqual([Object.keys(list.results), Object.keys(create.results)], [['200'], ['201']])
  await server.stderr.until(/"event":"log-lost"/)
  t.diagnostic(`${await lost()} lines of the log lost`)
  assert.ok(Math.max(list.longestMs, create.longestMs) < 3_000)
  await stop(server)
  parseRecords(server.stdout) // no line is cut
})

test('a server without free descriptors serves its open connections', async (t) => {
  const options = { env: unlimited, shell: 'ulimit -n 96' }
  const { base, ...server } = await launchServer('--port 0 --memory --metrics', options)
  const port = Number(new URL(base).port)
  const load = startLoad(base)
  await load.more(1, 'create')
  const open = await Promise.all(Array.from({ length: 40 }, () => openConnection(port)))
  await Promise.race(open.map(({ closed }) => closed))
  const fresh = () =>
    send(`${base}/pets`, { key }).then(
      ({ status }) => status,
      () => 'closed',
    )
  const refused = await Promise.all(Array.from({ length: 10 }, fresh))
  for (const { socket } of open) socket.destroy()
  const freedAt = performance.now()
  while ((await fresh()) !== 200) await setTimeout(5)
  const againMs = performance.now() - freedAt
  await load.end()
  const failures = load.exchanges.filter(({ result }) => !(Number(result) < 300))
  t.diagnostic(
    `${refused.length} of ${refused.length} new connections closed; ${failures.length} of ${load.exchanges.length} requests on open connections failed; a new connection is served again after ${againMs.toFixed()} ms`,
  )
  assert.deepEqual(new Set(refused), new Set(['closed']))
  assert.deepEqual(failures, [])
  assert.ok(againMs < 3_000)
  await server.stderr.until(/warning: a connection was closed: 32 are open, the most/)
  const { body } = await send(new URL('/metrics', base).href)
  assert.match(body, /^pet_adoption_connections_refused_total [1-9]\d*$/m)
  assert.match(body, /^process_max_fds 96$/m)
  await stop(server)
})
