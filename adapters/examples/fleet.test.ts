import { testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { temporaryDatabases } from '../standalone/testing/database.ts'
import { assertFollowsEveryRule } from './testing/rules.ts'
import { nodeWithTypeScript, serving } from './testing/serving.ts'

const databases = await temporaryDatabases()
const redis = await createPrivateRedis()

testWith('value' in redis ? databases : redis)(
  'on PostgreSQL and Redis, the service follows every rule',
  async (t) => {
    if (!('value' in databases) || !('value' in redis)) return
    const env = {
      DATABASE_URL: await databases.value(),
      REDIS_URL: `redis://127.0.0.1:${redis.value.port}`,
    }
    const { origin } = await serving(t, [...nodeWithTypeScript, 'adapters/examples/fleet.ts'], { env })
    await assertFollowsEveryRule(origin)
  },
)
