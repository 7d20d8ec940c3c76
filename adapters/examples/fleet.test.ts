import { allOf, testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { temporaryDatabases } from '../standalone/testing/storages.ts'
import { assertFollowsEveryRule } from './testing/rules.ts'
import { nodeWithTypeScript, serving } from './testing/serving.ts'

const databases = await temporaryDatabases()
const redis = await createPrivateRedis()

testWith(allOf(databases, redis))(
  'on PostgreSQL and Redis, the service follows every rule',
  async (t, [newDatabase, { port }]) => {
    const env = {
      DATABASE_URL: await newDatabase(),
      REDIS_URL: `redis://127.0.0.1:${port}`,
    }
    const { origin } = await serving(t, [...nodeWithTypeScript, 'adapters/examples/fleet.ts'], { env })
    await assertFollowsEveryRule(origin)
  },
)
