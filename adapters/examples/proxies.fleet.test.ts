import { readFileSync, writeFileSync } from 'node:fs'
import { freePort } from '../contracts/testing/free-port.ts'
import { allOf, type Part, required, testWith } from '../contracts/testing/part.ts'
import { createPrivateRedis } from '../contracts/testing/private-redis.ts'
import { temporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { assertServesAsOne } from './testing/behind-proxy.ts'
import { haproxy, nginx, nodeWithSqlite } from './testing/parts.ts'
import { serving } from './testing/serving.ts'
import { startTwoServers } from './testing/two-servers.ts'

interface Proxy {
  readonly program: Part<string>
  /** The file that the manual shows, and the line with its port. */
  readonly file: string
  readonly listens: string
  /** Returns the whole configuration, which writes only to the folder of the test. */
  readonly complete: (text: string) => string
  readonly args: readonly string[]
}

const folder = temporaryFolder()

const proxies: Readonly<Record<string, Proxy>> = {
  haproxy: {
    program: haproxy,
    file: 'proxies/haproxy.cfg',
    listens: 'bind :8081',
    complete: (text) => text,
    args: ['-db', '-f', `${folder}/haproxy`],
  },
  nginx: {
    program: nginx,
    file: 'proxies/nginx.conf',
    listens: 'listen 8081',
    complete(text) {
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')
      return `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
        events {}
        http { access_log off; ${temporary}
        ${text} }`
    },
    args: ['-p', folder, '-c', 'nginx', '-e', 'stderr'],
  },
}

for (const [name, { program, file, listens, complete, args }] of Object.entries(proxies)) {
  const redis = await createPrivateRedis() // one for each, as both count the same addresses
  testWith(required(allOf(program, nodeWithSqlite, redis)))(
    `behind ${name}, two servers follow every rule, their restarts lose no request, and a kill only those in flight`,
    async (t, [proxy, node, redis]) => {
      const servers = await startTwoServers(node, redis.port)
      const port = await freePort()
      const text = readFileSync(new URL(file, import.meta.url), 'utf8')
        .replace('127.0.0.1:8080', `127.0.0.1:${servers.ports[0]}`)
        .replace('127.0.0.1:8082', `127.0.0.1:${servers.ports[1]}`)
        .replace(listens, listens.replace(/:?8081/, `127.0.0.1:${port}`))
      writeFileSync(`${folder}/${name}`, complete(text))
      const { origin } = await serving(t, [proxy, ...args], { port })
      await assertServesAsOne(t, origin, servers)
    },
  )
}
