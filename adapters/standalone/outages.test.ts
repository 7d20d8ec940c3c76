import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../contracts/testing/free-port.ts'
import { unlimited } from './testing/animals.ts'
import { stop } from './testing/command.ts'
import { startServer } from './testing/program.ts'
import { send } from './testing/request.ts'

for (const [mode, statuses, remaining, ready] of [
  ['local', [200, 200], ['9999999', '9999998'], 200],
  ['open', [200, 200], ['10000000', '10000000'], 200],
  ['closed', [503, 503], ['0', '0'], 503],
] as const)
  test(`with --redis-down ${mode}, a server starts without its Redis, and responds as the mode says`, async () => {
    const redis = `redis://127.0.0.1:${await freePort()}`
    const flags = `--port 0 --memory --redis ${redis} --redis-down ${mode}`
    const { base, ...server } = await startServer(flags, { env: unlimited })
    const ask = () => send(`${base}/pets`, { key: 'the-key-of-the-tests' })
    const responses = [await ask(), await ask()]
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']]),
      statuses.map((status, i) => [status, remaining[i]]),
    )
    assert.equal((await send(new URL('/readyz', base).href)).status, ready)
    await server.stderr.until(/warning: Redis is not available/)
    await stop(server)
  })
