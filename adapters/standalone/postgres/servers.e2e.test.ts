import assert from 'node:assert/strict'
import { testWith } from '../../contracts/testing/part.ts'
import { assertStored, readAll, unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { temporaryDatabases } from '../testing/storages.ts'

const databases = await temporaryDatabases()

testWith(databases)('three servers that start on an empty database work as one', async (_t, newDatabase) => {
  const database = await newDatabase()
  const start = () => launchServer(`--port 0 --log silent --postgres ${database}`, { env: unlimited })
  const fleet = await Promise.all([start(), start(), start()])
  const creators = fleet.map(({ base }) => startLoad(base, { lists: 0, creates: 4 }))
  await Promise.all(creators.map(({ more }) => more(150)))
  const before = creators.flatMap(({ acknowledged }) => [...acknowledged])
  for (const { base } of fleet) assertStored(await readAll(base), before)
  for (const { end } of creators) assert.deepEqual(await end(), {})
  const acknowledged = creators.flatMap((each) => each.acknowledged)
  const [first = [], second, third] = await Promise.all(fleet.map(({ base }) => readAll(base)))
  assertStored(first, acknowledged)
  assert.equal(first.length, acknowledged.length)
  assert.deepEqual([second, third], [first, first])
  await stop(...fleet)
})
