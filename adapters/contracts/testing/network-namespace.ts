import { execFile, spawnSync } from 'node:child_process'
import { after } from 'node:test'
import { promisify } from 'node:util'
import type { Part } from './part.ts'

/** A network that belongs to one test file, like the network of another machine. */
export interface NetworkNamespace {
  /** The address of a program in the namespace. */
  readonly inside: string
  /** The address of this machine for programs in the namespace. */
  readonly outside: string
  /** A second one. */
  readonly alsoOutside: string
  /** The words before a command that runs in the namespace. */
  readonly prefix: string
  /** Drops the packets of all connections to a port that are open, in both directions. New connections work. */
  dropConnections(port: number): Promise<void>
}

const run = promisify(execFile)

/** Makes one, if this is Linux with iproute2, and the user is root. It is removed when the test file is done. */
export async function createNetworkNamespace(): Promise<Part<NetworkNamespace>> {
  const name = `pets${process.pid}`
  const { status, stderr, error } = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' })
  if (status !== 0) return { absent: `this machine makes no network namespace: ${error ?? stderr}` }
  after(() => run('ip', ['netns', 'del', name]))
  const subnet = `10.${200 + (process.pid % 50)}.${process.pid % 250}`
  const [outside, inside, alsoOutside] = [`${subnet}.1`, `${subnet}.2`, `${subnet}.3`]
  const ip = (words: string) => run('ip', words.split(' '))
  const ipInside = (words: string) => run('ip', ['-n', name, ...words.split(' ')])
  await ip(`link add ${name} type veth peer name eth0 netns ${name}`)
  for (const address of [outside, alsoOutside]) await ip(`addr add ${address}/24 dev ${name}`)
  await ip(`link set ${name} up`)
  await ipInside(`addr add ${inside}/24 dev eth0`)
  for (const device of ['lo', 'eth0']) await ipInside(`link set ${device} up`)
  // A rule placed before the one of local addresses can drop received packets.
  await ipInside('rule add pref 100 from all lookup local')
  await ipInside('rule del pref 0')
  return {
    value: {
      inside,
      outside,
      alsoOutside,
      prefix: `ip netns exec ${name}`,
      async dropConnections(port) {
        const { stdout } = await run('ss', ['-N', name, '-Htn', 'dport', '=', `:${port}`])
        for (const [, client] of stdout.matchAll(/^\S+\s+\S+\s+\S+\s+\S+:(\d+)\s/gm))
          for (const side of ['sport', 'dport'])
            await ipInside(`rule add pref 10 ipproto tcp ${side} ${client} blackhole`)
        await ipInside('route flush cache')
      },
    },
  }
}
