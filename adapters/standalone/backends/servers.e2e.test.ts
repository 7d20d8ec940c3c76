import assert from 'node:assert/strict'
import { testWith } from '../../contracts/testing/resource.ts'
import { assertStored, readAllAnimals, unlimitedEnv } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { createTemporaryDatabases } from '../testing/storages.ts'

const databases = await createTemporaryDatabases()

testWith(databases)('three servers can start together on an empty database', async (_t, newDatabase) => {
  const database = await newDatabase()
  const start = () => launchServer(`--port 0 --log silent --postgres ${database}`, { env: unlimitedEnv })
  const servers = await Promise.all([start(), start(), start()])
  const creators = servers.map(({ base }) => startLoad(base, { listClients: 0, createClients: 4 }))
  await Promise.all(creators.map(({ waitForMore }) => waitForMore(150)))
  const before = creators.flatMap(({ acknowledged }) => [...acknowledged])
  for (const { base } of servers) assertStored(await readAllAnimals(base), before)
  for (const { end } of creators) assert.deepEqual(await end(), {})
  const acknowledged = creators.flatMap((each) => each.acknowledged)
  const [first = [], second, third] = await Promise.all(servers.map(({ base }) => readAllAnimals(base)))
  assertStored(first, acknowledged)
  assert.equal(first.length, acknowledged.length)
  assert.deepEqual([second, third], [first, first])
  await stop(...servers)
})
