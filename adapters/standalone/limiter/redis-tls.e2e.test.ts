import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../contracts/testing/free-port.ts'
import { allOf, partValue, testWith } from '../../contracts/testing/part.ts'
import { runCommand } from '../../contracts/testing/private-cluster.ts'
import { createPrivateRedis } from '../../contracts/testing/private-redis.ts'
import { launchSentinel } from '../../contracts/testing/private-sentinel.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { stop } from '../testing/command.ts'
import { launch, launchServer } from '../testing/launch.ts'
import { send } from '../testing/request.ts'

const folder = temporaryFolder()
const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
const request =
  'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1'
const { error } = spawnSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate])
const certificatePart = error ? { absent: 'this machine has no openssl' } : { value: certificate }
const ports = { alone: await freePort(), cluster: await freePort(), sentinel: await freePort() }

function tls(port: number): string[] {
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
  return ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files]
}

/** A user with the permissions that the manual asks for, and one that may run scripts only. */
const users = [
  '--user limits on >the-password ~pet-adoption:* +eval +evalsha +time +get +set +del',
  '--user reader on >the-password ~pet-adoption:* +eval +evalsha',
].flatMap((line) => line.split(' '))

const alone = await createPrivateRedis(...tls(ports.alone), ...users)
const inCluster = await createPrivateRedis(
  ...tls(ports.cluster),
  ...['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-port', String(await freePort())],
  ...['--cluster-announce-ip', '127.0.0.1'], // which it does not know before it has met another server
)
const servers = allOf(alone, inCluster, certificatePart)

if (!('absent' in servers)) {
  const cluster = partValue(inCluster)
  await runCommand(cluster, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  while (!(await runCommand(cluster, 'CLUSTER', 'INFO')).includes('cluster_state:ok')) await setTimeout(20)
  await launchSentinel(ports.sentinel, [
    'port 0',
    'bind 127.0.0.1',
    `tls-port ${ports.sentinel}`,
    'tls-auth-clients no',
    'tls-replication yes',
    `tls-cert-file ${certificate}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${certificate}`,
    'requirepass sentinel-password',
    `sentinel monitor limits 127.0.0.1 ${ports.alone} 1`,
  ])
}

const sentinelParameters = '?sentinel-password=sentinel-password'

const counting: Readonly<Record<string, string>> = {
  'one Redis': `rediss://limits:the-password@127.0.0.1:${ports.alone}`,
  'a cluster': `rediss+cluster://127.0.0.1:${ports.cluster}`,
  'Sentinels with a password': `rediss+sentinel://limits:the-password@127.0.0.1:${ports.sentinel}/limits${sentinelParameters}`,
}

for (const [what, address] of Object.entries(counting))
  testWith(servers)(
    `limits are shared over TLS with ${what}, by a user with the least permissions`,
    async () => {
      const env = { NODE_EXTRA_CA_CERTS: certificate, REDIS_URL: address }
      const pair = await Promise.all([1, 2].map(() => launchServer('--port 0 --memory --metrics', { env })))
      const responses = await Promise.all(
        pair.flatMap(({ base }) => Array.from({ length: 20 }, () => send(`${base}/pets`))),
      )
      const remaining = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
      // one server alone would count 20
      assert.ok(Math.min(...remaining) < 60 - 25, `${Math.min(...remaining)} remain`)
      for (const { base } of pair) {
        const { body } = await send(new URL('/metrics', base).href)
        assert.match(body, /^pet_adoption_limiter_mode\{mode="shared"\} 1$/m)
      }
      await stop(...pair)
    },
  )

/** Addresses that no retry repairs, each with the error of the start. */
const refused: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>, RegExp]>> = {
  'a certificate that is not trusted': [
    `rediss://limits:the-password@127.0.0.1:${ports.alone}`,
    {},
    /certificate.*NODE_EXTRA_CA_CERTS=FILE/,
  ],
  'a user that may run scripts, but not their commands': [
    `rediss://reader:the-password@127.0.0.1:${ports.alone}`,
    { NODE_EXTRA_CA_CERTS: certificate },
    /can't run this command|NOPERM/,
  ],
  'a wrong password of the Sentinels': [
    counting['Sentinels with a password']?.replace('sentinel-password=sentinel', 'sentinel-password=not') ??
      '',
    { NODE_EXTRA_CA_CERTS: certificate },
    /WRONGPASS/,
  ],
}

for (const [what, [address, env, message]] of Object.entries(refused))
  testWith(servers)(`${what} stops the start with 1, the cause and what to do`, async () => {
    const server = launch('--port 0 --memory', { env: { ...env, REDIS_URL: address } })
    assert.equal(await server.end, 1)
    assert.match(server.stderr.text, message)
    assert.doesNotMatch(server.stderr.text, /-password@|not-password/)
  })
