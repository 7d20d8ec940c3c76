import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createNetworkNamespace } from '../contracts/testing/network-namespace.ts'
import { createPrivatePostgres, type PrivatePostgres } from '../contracts/testing/private-postgres.ts'
import { combineResources, testWith } from '../contracts/testing/resource.ts'
import { createFileNamer } from '../contracts/testing/sqlite.ts'
import { runFault } from '../standalone/faults/testing/run-fault.ts'
import { unlimitedEnv } from '../standalone/testing/animals.ts'
import { stop } from '../standalone/testing/command.ts'
import { launchServer } from '../standalone/testing/launch.ts'
import { startLoad } from '../standalone/testing/load.ts'

const network = await createNetworkNamespace()
const postgres = await createPrivatePostgres('listen_addresses=*')
const newFile = createFileNamer()

/** Connects to a PostgreSQL, and lets it trust clients in its network. */
async function connect({ url }: PrivatePostgres): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  const file: string = (await client.query('SHOW hba_file')).rows[0].hba_file
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nhost all all samenet trust\n`)
  await client.query('SELECT pg_reload_conf()')
  return client
}

describe('a server whose connections are dropped by a firewall', () => {
  testWith(combineResources(network, postgres))(
    'opens new connections, and the old backends exit',
    async (t, [space, server]) => {
      const observer = await connect(server)
      const countBackends = async (): Promise<number> => {
        const ofServer = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'pets'`
        return (await observer.query(ofServer)).rows[0].count
      }
      const node = newFile('node')
      writeFileSync(node, `#!/bin/sh\nexec ${space.commandPrefix} ${process.execPath} "$@"\n`)
      chmodSync(node, 0o755)
      const address = `postgres://postgres@${space.outerAddress}:${server.port}/postgres?application_name=pets`
      const flags = `--port 0 --host ${space.innerAddress} --log silent --postgres ${address}`
      const launched = await launchServer(flags, { env: unlimitedEnv, node })
      const counts: number[] = []
      const load = startLoad(launched.base, { createClients: 16 })
      await load.waitForMore(500)
      const { list, create } = await runFault(t, load, launched.base, {
        fail: () => space.dropConnections(server.port),
        async durationMs() {
          for (let i = 0; i < 60; i++) {
            counts.push(await countBackends())
            await setTimeout(500)
          }
        },
        repair() {},
      })
      t.diagnostic(`backends: ${counts.join(' ')}`)
      for (const { results, lastFailureMs, longestMs } of [list, create]) {
        assert.deepEqual(
          Object.keys(results).filter((each) => !['200', '201', '503'].includes(each)),
          [],
        )
        assert.ok(lastFailureMs < 6_000, `${lastFailureMs} ms`)
        assert.ok(longestMs < 6_000, `${longestMs} ms`)
      }
      assert.ok(Math.max(...counts) <= 20, 'at most the backends of two pools')
      assert.ok((counts.at(-1) ?? 0) <= 10)
      await stop(launched)
      await observer.end()
    },
  )
})
