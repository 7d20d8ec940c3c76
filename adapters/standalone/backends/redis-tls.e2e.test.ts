import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from '../../contracts/testing/free-port.ts'
import { runCommand } from '../../contracts/testing/private-cluster.ts'
import { createPrivateRedis } from '../../contracts/testing/private-redis.ts'
import { launchSentinel } from '../../contracts/testing/private-sentinel.ts'
import { combineResources, getResource, testWith } from '../../contracts/testing/resource.ts'
import { createTemporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { stop } from '../testing/command.ts'
import { launch, launchServer } from '../testing/launch.ts'
import { send } from '../testing/request.ts'

const folder = createTemporaryFolder()
const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
const request =
  'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1'
const { error } = spawnSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate])
const certificateResource = error ? { absent: 'this machine has no openssl' } : { value: certificate }
const ports = { alone: await findFreePort(), cluster: await findFreePort(), sentinel: await findFreePort() }

function createTlsFlags(port: number): string[] {
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
  return ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files]
}

/**
 * The Redis user `limits` has exactly the permissions that the limiter needs. The user `reader` may run scripts, but
 * not the commands in them.
 */
const userFlags = [
  '--user limits on >the-password ~pet-adoption:* +eval +evalsha +time +get +set +del',
  '--user reader on >the-password ~pet-adoption:* +eval +evalsha',
].flatMap((line) => line.split(' '))

const alone = await createPrivateRedis(...createTlsFlags(ports.alone), ...userFlags)
const clusterServer = await createPrivateRedis(
  ...createTlsFlags(ports.cluster),
  ...['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-port', String(await findFreePort())],
  ...['--cluster-announce-ip', '127.0.0.1'], // a node without peers does not know its own address
)
const servers = combineResources(alone, clusterServer, certificateResource)

if (!('absent' in servers)) {
  const cluster = getResource(clusterServer)
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

const usableAddresses: Readonly<Record<string, string>> = {
  'a single Redis': `rediss://limits:the-password@127.0.0.1:${ports.alone}`,
  'a cluster': `rediss+cluster://127.0.0.1:${ports.cluster}`,
  'Sentinels with a password': `rediss+sentinel://limits:the-password@127.0.0.1:${ports.sentinel}/limits${sentinelParameters}`,
}

for (const [what, address] of Object.entries(usableAddresses))
  testWith(servers)(`servers share limits over TLS with ${what}`, async () => {
    const env = { NODE_EXTRA_CA_CERTS: certificate, REDIS_URL: address }
    const pair = await Promise.all([1, 2].map(() => launchServer('--port 0 --memory --metrics', { env })))
    const responses = await Promise.all(
      pair.flatMap(({ base }) => Array.from({ length: 20 }, () => send(`${base}/pets`))),
    )
    const remaining = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    // Each server received 20 requests. A lower value can only come from a shared count.
    assert.ok(Math.min(...remaining) < 60 - 25, `${Math.min(...remaining)} remain`)
    for (const { base } of pair) {
      const { body } = await send(new URL('/metrics', base).href)
      assert.match(body, /^pet_adoption_limiter_mode\{mode="shared"\} 1$/m)
    }
    await stop(...pair)
  })

/** Addresses that cannot be used, with environment variables and the expected message. */
const unusableAddresses: Readonly<
  Record<string, readonly [string, Readonly<Record<string, string>>, RegExp]>
> = {
  'an untrusted certificate': [
    `rediss://limits:the-password@127.0.0.1:${ports.alone}`,
    {},
    /certificate.*NODE_EXTRA_CA_CERTS=FILE/,
  ],
  'a Redis user without permissions': [
    `rediss://reader:the-password@127.0.0.1:${ports.alone}`,
    { NODE_EXTRA_CA_CERTS: certificate },
    /can't run this command|NOPERM/,
  ],
  'a wrong Sentinel password': [
    usableAddresses['Sentinels with a password']?.replace(
      'sentinel-password=sentinel',
      'sentinel-password=not',
    ) ?? '',
    { NODE_EXTRA_CA_CERTS: certificate },
    /WRONGPASS/,
  ],
}

for (const [what, [address, env, message]] of Object.entries(unusableAddresses))
  testWith(servers)(`the server exits with 1 because of ${what}`, async () => {
    const server = launch('--port 0 --memory', { env: { ...env, REDIS_URL: address } })
    assert.equal(await server.end, 1)
    assert.match(server.stderr.text, message)
    assert.doesNotMatch(server.stderr.text, /-password@|not-password/)
  })
