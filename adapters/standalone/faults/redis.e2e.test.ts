import assert from 'node:assert/strict'
import { createPrivateRedis } from '../../contracts/testing/private-redis.ts'
import { requireOnCi, testWith } from '../../contracts/testing/resource.ts'
import { stop } from '../testing/command.ts'
import { createLimitedServerStarter, loadKey } from '../testing/limited.ts'
import { startLoad } from '../testing/load.ts'
import { send } from '../testing/request.ts'
import { runFault } from './testing/run-fault.ts'

const startLimited = createLimitedServerStarter()

testWith(requireOnCi(await createPrivateRedis()))(
  'two servers serve every request while Redis restarts',
  async (t, redis) => {
    const ids = ['before', 'meanwhile', 'later']
    const address = `redis://127.0.0.1:${redis.port}`
    const { servers, sendRequest, countAdmitted, assertExactLimit } = await startLimited(2, address, ids)
    const [first] = servers
    assert.ok(first)
    const readMetrics = async () => (await send(new URL('/metrics', first.base).href)).body
    await assertExactLimit('before')
    assert.match(await readMetrics(), /^pet_adoption_limiter_mode\{mode="shared"\} 1$/m)
    const { list, create } = await runFault(
      t,
      startLoad(first.base, { key: loadKey }),
      first.base,
      {
        async fail() {
          await redis.stop()
          for (const server of servers) for (let i = 0; i < 4; i++) await sendRequest(server, 'load')
          const count = await countAdmitted('meanwhile', 80)
          assert.ok(count > 60 && count <= 120, `two servers allowed ${count} requests with a limit of 60`)
          await first.stderr.until(/Redis is unavailable, so each process counts requests on its own: /)
          assert.match(await readMetrics(), /^pet_adoption_redis_up 0$/m)
          assert.match(await readMetrics(), /^pet_adoption_limiter_mode\{mode="local"\} 1$/m)
          assert.equal((await send(new URL('/readyz', first.base).href)).status, 200) // `/readyz` ignores Redis, because an outage affects all servers alike
        },
        durationMs: 3_000,
        async repair() {
          await redis.start()
          await Promise.all(servers.map(({ stdout }) => stdout.until(/Redis has recovered/)))
        },
      },
      loadKey,
    )
    assert.deepEqual([Object.keys(list.results), Object.keys(create.results)], [['200'], ['201']])
    assert.ok(Math.max(list.longestMs, create.longestMs) < 1_500)
    await assertExactLimit('later', 80)
    await stop(...servers)
  },
)
