import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createNetworkNamespace } from '../../contracts/testing/network-namespace.ts'
import { allOf, testWith } from '../../contracts/testing/part.ts'
import { createPrivatePostgres, type PrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'
import { endure } from './testing/endure.ts'

const network = await createNetworkNamespace()
const postgres = await createPrivatePostgres('listen_addresses=*')
const newFile = temporaryFiles()

/** Connects to a PostgreSQL, and lets it trust clients of the network. */
async function connect({ url }: PrivatePostgres): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  const file: string = (await client.query('SHOW hba_file')).rows[0].hba_file
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nhost all all samenet trust\n`)
  await client.query('SELECT pg_reload_conf()')
  return client
}

describe('a server whose network drops the packets of open connections', () => {
  testWith(allOf(network, postgres))(
    'works on new ones, and the old backends end',
    async (t, [space, server]) => {
      const observer = await connect(server)
      const countBackends = async (): Promise<number> => {
        const ofServer = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'pets'`
        return (await observer.query(ofServer)).rows[0].count
      }
      const node = newFile('node')
      writeFileSync(node, `#!/bin/sh\nexec ${space.prefix} ${process.execPath} "$@"\n`)
      chmodSync(node, 0o755)
      const address = `postgres://postgres@${space.outside}:${server.port}/postgres?application_name=pets`
      const flags = `--port 0 --host ${space.inside} --log silent --postgres ${address}`
      const launched = await launchServer(flags, { env: unlimited, node })
      const counts: number[] = []
      const load = startLoad(launched.base, { creates: 16 })
      await load.more(500)
      const { list, create } = await endure(t, load, launched.base, {
        fail: () => space.dropConnections(server.port),
        async ms() {
          for (let i = 0; i < 60; i++) {
            counts.push(await countBackends())
            await setTimeout(500)
          }
        },
        repair() {},
      })
      t.diagnostic(`backends: ${counts.join(' ')}`)
      for (const { results, failingMs, longestMs } of [list, create]) {
        assert.deepEqual(
          Object.keys(results).filter((each) => !['200', '201', '503'].includes(each)),
          [],
        )
        assert.ok(failingMs < 6_000, `${failingMs} ms`)
        assert.ok(longestMs < 6_000, `${longestMs} ms`)
      }
      assert.ok(Math.max(...counts) <= 20, 'more than those of two generations')
      assert.ok((counts.at(-1) ?? 0) <= 10)
      await stop(launched)
      await observer.end()
    },
  )
})
