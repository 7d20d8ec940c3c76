import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../contracts/testing/free-port.ts'
import { allOf, required, testWith } from '../../contracts/testing/part.ts'
import { createPrivateRedis } from '../../contracts/testing/private-redis.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { assertServesAsOne } from '../testing/behind-proxy.ts'
import { haproxy, nodeWithSqlite } from '../testing/parts.ts'
import { serving } from '../testing/serving.ts'
import { startTwoServers } from '../testing/two-servers.ts'

const test = testWith(required(allOf(haproxy, nodeWithSqlite, await createPrivateRedis())))
const folder = temporaryFolder()

/** Returns the configuration with other ports. */
function configuration([one, two]: readonly [number, number], port: number): string {
  return readFileSync(new URL('pets.cfg', import.meta.url), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${one}`)
    .replace('127.0.0.1:8082', `127.0.0.1:${two}`)
    .replace('bind :8081', `bind 127.0.0.1:${port}`)
}

test('behind haproxy, two servers follow every rule, their restarts lose no request, and a kill only those in flight', async (t, [
  program,
  node,
  redis,
]) => {
  const servers = await startTwoServers(node, redis.port)
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(servers.ports, port))
  const { origin } = await serving(t, [program, '-db', '-f', file], { port })
  await assertServesAsOne(t, origin, servers)
})
