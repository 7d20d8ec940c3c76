import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../contracts/testing/free-port.ts'
import { allOf, required, testWith } from '../../contracts/testing/part.ts'
import { createPrivateRedis } from '../../contracts/testing/private-redis.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { assertServesAsOne } from '../testing/behind-proxy.ts'
import { nginx, nodeWithSqlite } from '../testing/parts.ts'
import { serving } from '../testing/serving.ts'
import { startTwoServers } from '../testing/two-servers.ts'

const test = testWith(required(allOf(nginx, nodeWithSqlite, await createPrivateRedis())))
const folder = temporaryFolder()

/** Returns the configuration of an nginx that writes only to the folder of the test. */
function configuration([one, two]: readonly [number, number], port: number): string {
  const pets = readFileSync(new URL('pets.conf', import.meta.url), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${one}`)
    .replace('127.0.0.1:8082', `127.0.0.1:${two}`)
    .replace('listen 8081', `listen 127.0.0.1:${port}`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {}
    http { access_log off; ${temporary}
    ${pets} }`
}

test('behind nginx, two servers follow every rule, their restarts lose no request, and a kill only those in flight', async (t, [
  program,
  node,
  redis,
]) => {
  const servers = await startTwoServers(node, redis.port)
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configuration(servers.ports, port))
  const flags = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr']
  const { origin } = await serving(t, [program, ...flags], { port })
  await assertServesAsOne(t, origin, servers)
})
