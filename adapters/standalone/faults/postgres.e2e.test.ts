import assert from 'node:assert/strict'
import { createPrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { requireOnCi, testWith } from '../../contracts/testing/resource.ts'
import { unlimitedEnv } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { parseRecords } from '../testing/program.ts'
import { assertRejected, runStorageFault } from './testing/run-fault.ts'

// The tests in `adapters/postgres` cover all faults. With `PET_ADOPTION_FAULTS=program`, they test the program too.
const test = testWith(requireOnCi(await createPrivatePostgres()))

test('a server rejects requests while PostgreSQL is down, and recovers', async (t, { url, crash, start }) => {
  const server = await launchServer(`--port 0 --log json --no-log-requests --postgres ${url}`, {
    env: unlimitedEnv,
  })
  const { list, create } = await runStorageFault(t, server, { fail: crash, durationMs: 3_000, repair: start })
  for (const effect of [list, create]) assertRejected(effect)
  const messages = parseRecords(server.stderr).map(({ event, message }) => `${event}: ${message}`)
  assert.ok(
    messages.some((message) => /^store: \w+ are failing: no connection to PostgreSQL: /.test(message)),
  )
  assert.match(server.stdout.text, /"event":"store","message":"the store has recovered"/)
})

test('a server without requests logs a PostgreSQL outage and the recovery', async (_t, {
  url,
  crash,
  start,
}) => {
  const server = await launchServer(`--port 0 --log json --postgres ${url}`, { env: unlimitedEnv })
  await crash()
  await server.stderr.until(/"event":"store","message":"reads are failing: no connection to PostgreSQL: /)
  await start()
  await server.stdout.until(/"event":"store","message":"the store has recovered"/)
  await stop(server)
})
