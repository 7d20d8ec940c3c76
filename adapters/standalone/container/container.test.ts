import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { createTemporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { manifest } from '../../examples/testing/documents.ts'
import { root } from '../../examples/testing/parts.ts'
import { listen } from '../../testing/listen.ts'
import { readCommandLine } from '../cli/command-line.ts'

const readText = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const folder = createTemporaryFolder()
const dockerfile = readText('Dockerfile')
const { services, volumes, configs } = parse(readText('compose.yml').replaceAll(/\$\{[^}]*\}/g, 'value'), {
  merge: true,
})
const { caddy, server, postgres, redis } = services

/** Values of an instruction in the last build stage. */
function readInstruction(name: string): readonly string[] {
  const [last = ''] = dockerfile
    .replaceAll('\\\n', '')
    .split(/^FROM /m)
    .slice(-1)
  return [...last.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map(([, value = '']) => value)
}

function readVariables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readInstruction('ENV').flatMap((line) => line.split(' ').map((text) => text.split('='))),
  )
}

describe('the container image', () => {
  it('starts the packaged program', () => {
    const [program] = JSON.parse(readInstruction('ENTRYPOINT')[0] ?? '')
    assert.ok(program in manifest.bin, program)
    assert.equal(readVariables().PATH, '/app/node_modules/.bin:$PATH')
  })

  it('listens on all addresses, on port 8080', () => {
    const { settings } = readCommandLine([], { HOST: readVariables().HOST })
    assert.equal(settings.host?.value, '0.0.0.0')
    assert.deepEqual(readInstruction('EXPOSE'), ['8080'])
  })

  it('uses one pinned base image', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    assert.equal(new Set(bases).size, 1)
    assert.match(bases[0] ?? '', /^node:24\.\d+\.\d+-slim$/)
  })

  it('runs as an unprivileged user who owns the volume', () => {
    const [user] = readInstruction('USER')
    assert.equal(user, '1000:1000') // the user "node" in the base image
    const folder = readInstruction('WORKDIR').at(-1)
    assert.deepEqual(readInstruction('VOLUME'), [folder])
    assert.ok(readInstruction('RUN').some((line) => line.endsWith(`chown ${user} ${folder}`)))
  })

  for (const [place, words, PORT] of [
    ['--port=N', ['--port=N'], ''],
    ['--port N', ['--port', 'N'], '1'],
    ['--listen', ['--listen', '[::]:N', '--trust-proxy', '1'], ''],
    ['PORT', ['--log', 'json'], 'N'],
  ] as const)
    it(`checks the health of a server started with ${place}`, async (t) => {
      const program = createServer((req, res) => res.writeHead(req.url === '/readyz' ? 200 : 404).end())
      t.after(() => program.close())
      const port = String(await listen(program))
      const cmdline = join(folder, 'cmdline')
      writeFileSync(
        cmdline,
        ['node', 'server', ...words].map((word) => `${word.replace('N', port)}\0`).join(''),
      )
      const [, command = ''] = /CMD (.*)$/.exec(readInstruction('HEALTHCHECK')[0] ?? '') ?? []
      const [, ...args] = JSON.parse(command.replace('/proc/1/cmdline', cmdline.replaceAll('\\', '/')))
      const child = spawn(process.execPath, args, { env: { ...process.env, PORT: PORT.replace('N', port) } })
      assert.deepEqual(await once(child, 'exit'), [0, null])
    })

  it('installs the tested driver versions', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    for (const name of ['pg', 'ioredis'])
      assert.ok(
        readInstruction('RUN')
          .join()
          .includes(` ${name}@${packages[`node_modules/${name}`].version} `),
        name,
      )
  })

  it('excludes secrets and databases from the build', () => {
    const lines = readText('Dockerfile.dockerignore').split('\n')
    for (const pattern of ['.git', '**/.env*', '**/*.sqlite*', '**/keys.json'])
      assert.ok(lines.includes(pattern))
  })
})

describe('the compose file', () => {
  it('starts the server with PostgreSQL and Redis', () => {
    const { command, settings } = readCommandLine(server.command, server.environment)
    assert.equal(command, 'serve')
    assert.equal(new URL(settings.postgres?.value ?? '').hostname, 'postgres')
    assert.equal(new URL(settings.redis?.value ?? '').hostname, 'redis')
    assert.equal(settings['trust-proxy']?.value, 1)
  })

  it('builds the image in this repository', () => {
    const { context, dockerfile } = server.build
    assert.equal(
      new URL(`${context}/`, import.meta.url).pathname,
      new URL('../../../', import.meta.url).pathname,
    )
    assert.ok(existsSync(join(root, dockerfile)))
  })

  it('publishes only the proxy', () => {
    const published = Object.entries<{ ports?: readonly string[] }>(services).filter(([, { ports }]) => ports)
    assert.deepEqual(published, [['caddy', caddy]])
    assert.deepEqual(caddy.ports, ['80:80', '443:443'])
    // Kubernetes needs a number to know that it is not root
    assert.match(
      readText('Caddyfile'),
      /protocols h1 h2\b.*\{\$SITE\} \{\n\treverse_proxy \{\$UPSTREAM:127\.0\.0\.1:8080\}/s,
    )
    assert.deepEqual(Object.keys(caddy.environment), ['SITE', 'UPSTREAM'])
    assert.equal(caddy.environment.UPSTREAM, 'server:8080')
  })

  it('declares every volume, and uses it', () => {
    const used = [caddy, postgres, redis].flatMap((part) => part.volumes).map((text) => text.split(':', 1)[0])
    assert.deepEqual(new Set(used), new Set(['./Caddyfile', ...Object.keys(volumes)]))
  })

  it('protects Redis with a password, and never evicts keys', () => {
    assert.match(configs.redis.content, /^requirepass value$.*^maxmemory-policy noeviction$/ms)
    assert.deepEqual(redis.command, ['redis-server', redis.configs[0].target])
    assert.equal(new URL(server.environment.REDIS_URL).password, 'value')
  })

  it('creates a database role for the server', () => {
    const { username, pathname } = new URL(server.environment.DATABASE_URL)
    assert.deepEqual([username, pathname], ['pets', '/pets'])
    assert.match(
      configs.role.content,
      /^CREATE ROLE pets LOGIN PASSWORD 'value';\nCREATE DATABASE pets OWNER pets;$/m,
    )
    assert.match(postgres.configs[0].target, /^\/docker-entrypoint-initdb\.d\/.*\.sql$/)
  })

  it('limits logs and privileges everywhere', () => {
    for (const part of Object.values<Record<string, unknown>>(services)) {
      assert.deepEqual(part.logging, { driver: 'local', options: { 'max-size': '10m', 'max-file': '5' } })
      assert.deepEqual(part.security_opt, ['no-new-privileges:true'])
    }
    for (const part of [caddy, server]) assert.deepEqual([part.read_only, part.cap_drop], [true, ['ALL']])
  })

  it('waits for requests in flight before it stops the server', () => {
    assert.ok(Number.parseInt(server.stop_grace_period, 10) > 10)
  })
})
