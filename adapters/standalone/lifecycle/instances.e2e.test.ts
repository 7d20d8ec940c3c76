import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from '../../contracts/testing/free-port.ts'
import { createPrivateSystemd } from '../../contracts/testing/private-systemd.ts'
import { combineResources, type Resource, requireOnCi, testWith } from '../../contracts/testing/resource.ts'
import { createTemporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { readText } from '../../examples/testing/documents.ts'
import { createNginxConfig } from '../../examples/testing/nginx.ts'
import { nginx, nodeWithSqlite, root } from '../../examples/testing/parts.ts'
import { startForTest } from '../../examples/testing/serving.ts'
import { unlimitedEnv } from '../testing/animals.ts'
import { startLoad } from '../testing/load.ts'

const name = 'pet-adoption-service'
const packages = `/opt/${name}/node_modules`
const variables = '/etc/pet-adoption-service.env'
const sockets = createTemporaryFolder()
const readUnit = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

async function bootSystemd(node: Resource<string>) {
  if ('absent' in node) return node
  return createPrivateSystemd(
    {
      [`/etc/systemd/system/${name}@.service`]: readUnit(`${name}.service`),
      [`/etc/systemd/system/${name}@.socket`]: readUnit(`${name}@.socket`),
      '/etc/sysusers.d/pets.conf': 'u pet-adoption -\ng www-data -\n',
      [variables]: Object.entries(unlimitedEnv)
        .map((pair) => `${pair.join('=')}\n`)
        .join(''),
      [`${packages}/.bin/${name}`]: `#!/bin/sh\nexec /opt/node ${packages}/${name}/dist/adapters/standalone/main.js "$@"\n`,
    },
    { [`${packages}/${name}`]: root, '/opt/node': node.value, [`/run/${name}`]: sockets },
  )
}

const systemd = await bootSystemd(nodeWithSqlite)

/** Starts nginx in front of the sockets of two instances. */
async function startNginx(t: Parameters<typeof startForTest>[0], program: string): Promise<string> {
  const [folder, port] = [createTemporaryFolder(), await findFreePort()]
  const text = readText('adapters/examples/proxies/nginx.conf')
    .replaceAll('127.0.0.1:8080', `unix:${sockets}/1.sock`)
    .replaceAll('127.0.0.1:8082', `unix:${sockets}/2.sock`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*$/gm, '')
  writeFileSync(join(folder, 'nginx.conf'), createNginxConfig(text, folder))
  const { origin } = await startForTest(t, [program, '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    port,
  })
  return origin
}

describe('a systemd instance', () => {
  testWith(combineResources(systemd, requireOnCi(nginx)))(
    'restarts behind nginx without losing a request',
    async (t, [{ run }, program]) => {
      const units = ['socket', 'service'].flatMap((kind) => [1, 2].map((n) => `${name}@${n}.${kind}`))
      await run('systemctl', 'enable', '--now', ...units)
      await run('systemctl', 'is-active', ...units)
      const load = startLoad(`${await startNginx(t, program)}/v1`, { unpooledClients: 4 })
      for (const unit of [`${name}@1.service`, `${name}@2.service`]) {
        await load.waitForMore(100)
        await run('systemctl', 'restart', unit)
      }
      await load.waitForMore(100)
      assert.deepEqual(await load.end(), {})
    },
  )

  testWith(systemd)('is not restarted if its environment is invalid', async (_t, { folder, run }) => {
    appendFileSync(join(folder, variables), 'PORT=8080\n')
    await run('systemctl', 'start', `${name}@3.socket`)
    const socket = createConnection(join(sockets, '3.sock')).on('error', () => {}) // systemd closes the connection
    async function countStarts(): Promise<number> {
      const journal = await run('journalctl', '--unit', `${name}@3.service`, '--output=cat')
      return journal.split('"event":"usage"').length - 1
    }
    while ((await countStarts()) === 0) await setTimeout(50)
    await setTimeout(3_000) // longer than the restart delay
    assert.equal(await countStarts(), 1)
    socket.destroy()
  })
})
