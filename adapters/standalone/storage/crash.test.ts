import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../../contracts/random.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { createPrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { type Animal, assertStored, readAll, startCreating, unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launch, launchServer } from '../testing/launch.ts'
import { baseAddressOf } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { temporaryStorages } from '../testing/storages.ts'

/** How often the server is killed in each kind of storage. Each time lasts seconds. */
const rounds = Number(process.env.PET_ADOPTION_CRASH_ROUNDS || 1)
/** What the moments and the animals are drawn from. */
const seed = Number(process.env.PET_ADOPTION_CRASH_SEED || 1)
const clients = 8

const storages = await temporaryStorages()
const own = await createPrivatePostgres()

for (const [name, storage] of Object.entries(storages)) {
  testWith(storage)(
    `${name} has every animal of a 201, however often the server is killed`,
    async (_t, newStorage) => {
      const commandLine = `--port 0 --log silent ${await newStorage()}`
      const random = createRandom(seed)
      const acknowledged: Animal[] = []
      for (let round = 0; round <= rounds; round++) {
        const { base, ...server } = await launchServer(commandLine, { env: unlimited })
        const stored = await readAll(base)
        assertStored(stored, acknowledged)
        assert.ok(stored.length - acknowledged.length <= round * clients, 'more is there than was asked for')
        if (round < rounds) {
          const creators = startCreating(base, clients, seed + round)
          await creators.more(1)
          await setTimeout(random.whole(0, 300))
          server.child.kill('SIGKILL')
          await creators.end()
          assert.deepEqual(creators.otherResponses, [])
          acknowledged.push(...creators.acknowledged)
        } else server.child.kill('SIGTERM')
        assert.equal(await server.end, round < rounds ? 'SIGKILL' : 0)
      }
    },
  )
}

testWith(own)(
  'a PostgreSQL that crashes under load and comes back has every animal, without a restart of the server',
  async (_t, postgres) => {
    const { url, crash, start } = postgres
    const server = launch(`--port 0 --log json --postgres ${url}`, { env: unlimited })
    const base = await baseAddressOf(server)
    const creators = startCreating(base, clients, seed)
    await creators.more(100)
    await crash()
    const down = await send(new URL('/readyz', base).href)
    await start()
    await creators.more(100)
    await creators.end()
    assert.equal(down.status, 503)
    assert.equal((await send(new URL('/readyz', base).href)).status, 200)
    assert.ok(creators.otherResponses.length > 0)
    for (const { status, headers } of creators.otherResponses)
      assert.deepEqual([status, headers['retry-after']], [503, '5'])
    assertStored(await readAll(base), creators.acknowledged)
    await stop(server)
  },
)
