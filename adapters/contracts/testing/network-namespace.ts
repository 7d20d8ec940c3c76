import { execFile, spawnSync } from 'node:child_process'
import { after } from 'node:test'
import { promisify } from 'node:util'
import type { Resource } from './resource.ts'

/** A network namespace, which behaves like a second machine. */
export interface NetworkNamespace {
  /** The namespace's IPv4 address. */
  readonly innerAddress: string
  /** This machine's IPv4 address for programs in the namespace. */
  readonly outerAddress: string
  /** A second IPv4 address for this machine. */
  readonly secondOuterAddress: string
  /** IPv6 addresses for the namespace and this machine. This machine's first two share a /64 network. */
  readonly ipv6: { readonly innerAddress: string; readonly outerAddresses: readonly [string, string, string] }
  /** The command line that runs a program in the namespace. */
  readonly commandPrefix: string
  /** Drops all packets on the open connections to a port. Neither side is notified. */
  dropConnections(port: number): Promise<void>
}

const runFile = promisify(execFile)

/** Creates a network namespace, and removes it after the tests. Only root can do this, on Linux. */
export async function createNetworkNamespace(): Promise<Resource<NetworkNamespace>> {
  const name = `pets${process.pid}`
  const { status, stderr, error } = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' })
  if (status !== 0) return { absent: `cannot create a network namespace: ${error ?? stderr}` }
  after(() => runFile('ip', ['netns', 'del', name]))
  const subnet = `10.${200 + (process.pid % 50)}.${process.pid % 250}`
  const [outerAddress, innerAddress, secondOuterAddress] = [`${subnet}.1`, `${subnet}.2`, `${subnet}.3`]
  const runIp = (words: string) => runFile('ip', words.split(' '))
  const runIpInside = (words: string) => runFile('ip', ['-n', name, ...words.split(' ')])
  await runIp(`link add ${name} type veth peer name eth0 netns ${name}`)
  for (const address of [outerAddress, secondOuterAddress]) await runIp(`addr add ${address}/24 dev ${name}`)
  const prefix = `fd00:${(process.pid >> 16).toString(16)}:${(process.pid & 0xffff).toString(16)}`
  const ipv6 = {
    innerAddress: `${prefix}:2::1`,
    outerAddresses: [`${prefix}::1`, `${prefix}::2`, `${prefix}:1::1`],
  } as const
  for (const address of ipv6.outerAddresses) await runIp(`addr add ${address}/48 dev ${name} nodad`)
  await runIp(`link set ${name} up`)
  await runIpInside(`addr add ${innerAddress}/24 dev eth0`)
  await runIpInside(`addr add ${ipv6.innerAddress}/48 dev eth0 nodad`)
  for (const device of ['lo', 'eth0']) await runIpInside(`link set ${device} up`)
  // To drop received packets, a rule must come before the local routes.
  await runIpInside('rule add pref 100 from all lookup local')
  await runIpInside('rule del pref 0')
  return {
    value: {
      innerAddress,
      outerAddress,
      secondOuterAddress,
      ipv6,
      commandPrefix: `ip netns exec ${name}`,
      async dropConnections(port) {
        const { stdout } = await runFile('ss', ['-N', name, '-Htn', 'dport', '=', `:${port}`])
        for (const [, client] of stdout.matchAll(/^\S+\s+\S+\s+\S+\s+\S+:(\d+)\s/gm))
          for (const side of ['sport', 'dport'])
            await runIpInside(`rule add pref 10 ipproto tcp ${side} ${client} blackhole`)
        await runIpInside('route flush cache')
      },
    },
  }
}
