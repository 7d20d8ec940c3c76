import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findFreePort } from '../../contracts/testing/free-port.ts'
import { createPrivateRedis } from '../../contracts/testing/private-redis.ts'
import { testWith } from '../../contracts/testing/resource.ts'
import { fail, stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { send } from '../testing/request.ts'

const withPassword = await createPrivateRedis('--requirepass', 'the-password')

describe('a server with --redis', () => {
  testWith(withPassword)('exits with 1 if the password is wrong', async (_, { port }) => {
    const [code, told] = await fail('--port 0', { env: { REDIS_URL: `redis://:not-it@127.0.0.1:${port}` } })
    assert.equal(code, 1)
    assert.match(told, /^REDIS_URL: WRONGPASS .*: check the password in the address$/)
  })

  it('starts while Redis is unavailable', async () => {
    const flags = `--port 0 --metrics --redis redis://127.0.0.1:${await findFreePort()} --redis-failure-mode closed`
    const { base, ...server } = await startServer(flags)
    assert.equal((await send(`${base}/pets`)).status, 503)
    assert.equal((await send(new URL('/readyz', base).href)).status, 200) // `/readyz` ignores Redis, because an outage affects all servers alike
    await server.stderr.until(
      /Redis is unavailable, so requests are rejected with 503.*: connect ECONNREFUSED/,
    )
    const { body } = await send(new URL('/metrics', base).href)
    assert.match(body, /^pet_adoption_redis_up 0$/m)
    assert.match(body, /^pet_adoption_limiter_mode\{mode="closed"\} 1$/m)
    await stop(server)
  })
})
