import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { manifest } from '../../examples/testing/documents.ts'
import { root } from '../../examples/testing/parts.ts'
import { readCommandLine } from '../cli/command-line.ts'

const readText = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const dockerfile = readText('Dockerfile')
const { services, volumes } = parse(readText('compose.yml').replaceAll(/\$\{[^}]*\}/g, 'value'))
const { caddy, server, postgres, redis } = services

/** Returns the values of an instruction of the last stage of the Dockerfile. */
function instructions(name: string): readonly string[] {
  const [last = ''] = dockerfile
    .replaceAll('\\\n', '')
    .split(/^FROM /m)
    .slice(-1)
  return [...last.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map(([, value = '']) => value)
}

/** Returns the variables of an instruction such as `ENV HOST=0.0.0.0`. */
function variables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    instructions('ENV').flatMap((line) => line.split(' ').map((text) => text.split('='))),
  )
}

describe('the Dockerfile', () => {
  it('starts a program of the package', () => {
    const [program] = JSON.parse(instructions('ENTRYPOINT')[0] ?? '')
    assert.ok(program in manifest.bin, program)
    assert.equal(variables().PATH, '/app/node_modules/.bin:$PATH')
  })

  it('makes the server listen where the container is reached', () => {
    const { settings } = readCommandLine([], { HOST: variables().HOST })
    assert.equal(settings.host?.value, '0.0.0.0')
    assert.deepEqual(instructions('EXPOSE'), ['8080'])
  })

  it('pins a base whose Node has SQLite', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    assert.equal(new Set(bases).size, 1)
    assert.match(bases[0] ?? '', /^node:24\.\d+\.\d+-slim$/)
  })

  it('gives the folder of the animals to the user of the server', () => {
    const [user] = instructions('USER')
    assert.equal(user, 'node')
    const folder = instructions('WORKDIR').at(-1)
    assert.deepEqual(instructions('VOLUME'), [folder])
    assert.ok(instructions('RUN').some((line) => line.endsWith(`chown ${user}:${user} ${folder}`)))
  })

  it('checks /readyz', () => {
    const [check = ''] = instructions('HEALTHCHECK')
    assert.match(
      check,
      /CMD \["node", "-e", "fetch\(`http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT \|\| 8080\}\/readyz`\)/,
    )
  })

  it('installs the drivers that the server is tested with', () => {
    const [, pg, ioredis] = / pg@(\d+) ioredis@(\d+)/.exec(instructions('RUN').join()) ?? []
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.deepEqual([`^${pg}`, `^${ioredis}`], [devDependencies.pg, devDependencies.ioredis].map(parseMajor))
  })
})

const parseMajor = (version: string) => version.split('.', 1)[0]

describe('the compose file', () => {
  it('passes a command line and variables that the server accepts', () => {
    const { command, settings } = readCommandLine(server.command, server.environment)
    assert.equal(command, 'serve')
    assert.equal(new URL(settings.postgres?.value ?? '').hostname, 'postgres')
    assert.equal(new URL(settings.redis?.value ?? '').hostname, 'redis')
    assert.equal(settings['trust-proxy']?.value, 1)
  })

  it('builds the Dockerfile from the root of the checkout', () => {
    const { context, dockerfile } = server.build
    assert.equal(
      new URL(`${context}/`, import.meta.url).pathname,
      new URL('../../../', import.meta.url).pathname,
    )
    assert.ok(existsSync(join(root, dockerfile)))
  })

  it('publishes only the ports of Caddy, which passes requests to the server', () => {
    const published = Object.entries<{ ports?: readonly string[] }>(services).filter(([, { ports }]) => ports)
    assert.deepEqual(published, [['caddy', caddy]])
    assert.deepEqual(caddy.ports, ['80:80', '443:443'])
    assert.match(
      readText('Caddyfile'),
      /^\{\$SITE\} \{\n\treverse_proxy \{\$UPSTREAM:127\.0\.0\.1:8080\}\n\}\n$/,
    )
    assert.deepEqual(Object.keys(caddy.environment), ['SITE', 'UPSTREAM'])
    assert.equal(caddy.environment.UPSTREAM, 'server:8080')
  })

  it('stores the data of each part in a volume of its own', () => {
    const used = [caddy, postgres, redis].flatMap((part) => part.volumes).map((text) => text.split(':', 1)[0])
    assert.deepEqual(new Set(used), new Set(['./Caddyfile', ...Object.keys(volumes)]))
  })

  it('does not let Redis evict limits', () => {
    assert.match(redis.command.join(' '), /--maxmemory-policy noeviction/)
  })

  it('waits longer than a drain takes', () => {
    assert.ok(Number.parseInt(server.stop_grace_period, 10) > 10)
  })
})
