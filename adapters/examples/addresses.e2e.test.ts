import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createNetworkNamespace, type NetworkNamespace } from '../contracts/testing/network-namespace.ts'
import { combineResources, requireOnCi, testWith } from '../contracts/testing/resource.ts'
import { createTemporaryFolder } from '../contracts/testing/temporary-folder.ts'
import { Capture } from '../standalone/testing/capture.ts'
import { readText } from './testing/documents.ts'
import { createNginxConfig } from './testing/nginx.ts'
import { haproxy, nginx } from './testing/parts.ts'
import { startForTest } from './testing/serving.ts'

const folder = createTemporaryFolder()
const network = await createNetworkNamespace()
const port = 8443

/** Starts a proxy in a network namespace, in front of a server that never responds. */
async function startProxy(
  t: TestContext,
  { commandPrefix, innerAddress, outerAddress }: NetworkNamespace,
  file: string,
  args: readonly string[],
  change: (text: string) => string,
): Promise<void> {
  const silent = createServer((socket) => t.after(() => socket.destroy()))
  t.after(() => silent.close())
  silent.listen(0, outerAddress)
  await once(silent, 'listening')
  const upstream = `${outerAddress}:${(silent.address() as AddressInfo).port}` // a TCP server has a port
  const text = readText(`adapters/examples/proxies/${file}`).replaceAll(/127\.0\.0\.1:808[02]/g, upstream)
  writeFileSync(`${folder}/${file}`, change(text))
  const [program = '', ...words] = commandPrefix.split(' ')
  await startForTest(t, [program, ...words, ...args], { port, host: innerAddress })
}

/** Opens a connection to the proxy, and sends a request if `requests` is true. */
async function openConnection(
  t: TestContext,
  { ipv6 }: NetworkNamespace,
  localAddress: string,
  requests: boolean,
) {
  const socket = connect({ host: ipv6.innerAddress, port, localAddress }).on('error', () => {})
  t.after(() => socket.destroy())
  const received = socket.pipe(new Capture())
  await once(socket, 'connect').catch(() => {}) // the proxy may reset the connection first
  if (requests) socket.write('GET /v1/pets HTTP/1.1\r\nHost: pets\r\n\r\n')
  return { socket, received }
}

/** Returns whether a connection is still open after a second. */
async function staysOpen(socket: Socket): Promise<boolean> {
  for (const end = Date.now() + 1_000; Date.now() < end; await setTimeout(20))
    if (socket.destroyed) return false
  return true
}

describe('proxy configurations', () => {
  testWith(requireOnCi(combineResources(haproxy, network)))(
    'haproxy.cfg limits connections per IPv6 /64',
    async (t, [program, space]) => {
      const [one, neighbour, other] = space.ipv6.outerAddresses
      await startProxy(t, space, 'haproxy.cfg', [program, '-db', '-f', `${folder}/haproxy.cfg`], (text) =>
        text.replace('bind :8081', `bind :::${port} v4v6`),
      )
      const sameNetworkAddresses = [...new Array<string>(100).fill(one), neighbour]
      const sockets: Socket[] = []
      for (const address of sameNetworkAddresses)
        sockets.push((await openConnection(t, space, address, false)).socket)
      // haproxy's threads accept connections in any order.
      assert.equal((await Promise.all(sockets.map(staysOpen))).filter((stays) => stays).length, 100)
      assert.equal(await staysOpen((await openConnection(t, space, other, false)).socket), true)
    },
  )

  testWith(requireOnCi(combineResources(nginx, network)))(
    'nginx.conf limits pending requests per IPv6 /64',
    async (t, [program, space]) => {
      const [one, neighbour, other] = space.ipv6.outerAddresses
      const args = [program, '-p', folder, '-c', 'nginx.conf', '-e', 'stderr']
      await startProxy(t, space, 'nginx.conf', args, (text) => {
        const plain = text
          .replaceAll(/^ *ssl_.*$/gm, '')
          .replace('listen 443 ssl;', `listen ${port}; listen [::]:${port};`)
        return createNginxConfig(plain, folder)
      })
      for (let i = 0; i < 100; i++) await openConnection(t, space, one, true)
      const rejected = await openConnection(t, space, neighbour, true)
      await rejected.received.until(/^HTTP\/1\.1 429/)
      assert.equal(await staysOpen((await openConnection(t, space, other, true)).socket), true)
    },
  )
})
