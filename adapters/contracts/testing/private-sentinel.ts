import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { type Part, partValue } from './part.ts'
import { runCommand } from './private-cluster.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'
import { startProgram } from './program.ts'

/** A master with two replicas and three Sentinels, which one test file starts for itself. */
export interface PrivateSentinel {
  readonly ports: readonly number[]
  readonly masterName: string
  /** Resolves with the master once every Sentinel names the same, and no failover is under way. */
  master(): Promise<PrivateRedis>
}

const masterName = 'limits'

/** Starts them, if this machine has the programs. */
export async function createPrivateSentinel(): Promise<Part<PrivateSentinel>> {
  const first = await createPrivateRedis('--repl-diskless-sync-delay', '0')
  if ('absent' in first) return first
  const { port } = first.value
  const replica = async () => partValue(await createPrivateRedis('--replicaof', `127.0.0.1 ${port}`))
  const servers = [first.value, ...(await Promise.all([replica(), replica()]))]
  const ports = await Promise.all([1, 2, 3].map(() => startSentinel(port)))

  /** Returns the facts that each Sentinel knows about the master, by name. */
  async function known(): Promise<readonly Record<string, string>[]> {
    const ask = (each: number) => runCommand({ port: each }, 'SENTINEL', 'MASTER', masterName)
    const texts = await Promise.all(ports.map(ask))
    return texts.map((text) => {
      const pairs = `${text}\n`.matchAll(/(.*)\n(.*)\n/g) // a name, and its value on the next line
      return Object.fromEntries([...pairs].map(([, name, value]) => [name, value]))
    })
  }

  async function isReady(): Promise<boolean> {
    const online = (await runCommand({ port }, 'INFO', 'replication')).match(/state=online/g)
    const knows = (one: Record<string, string>) =>
      one['num-slaves'] === '2' && one['num-other-sentinels'] === '2'
    return online?.length === 2 && (await known()).every(knows)
  }

  while (!(await isReady())) await setTimeout(50)
  return {
    value: {
      ports,
      masterName,
      async master() {
        for (;;) {
          const all = await known()
          const server = servers.find((each) => all.every((one) => one.port === String(each.port)))
          if (server && !all.some((one) => one.flags?.includes('failover'))) return server
          await setTimeout(100)
        }
      },
    },
  }
}

async function startSentinel(master: number): Promise<number> {
  const port = await freePort()
  await launchSentinel(port, [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${masterName} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${masterName} 2000`,
    // The timeouts of a vote and of the replicas, and half of the pause between two failovers.
    `sentinel failover-timeout ${masterName} 3000`,
  ])
  return port
}

/** Launches a Sentinel with the lines of its settings, which name the port. It is ended when the test file is done. */
export async function launchSentinel(port: number, settings: readonly string[]): Promise<void> {
  function configure(_: number, folder: string): readonly string[] {
    const file = join(folder, 'sentinel.conf')
    writeFileSync(file, `${[`dir ${folder}`, ...settings].join('\n')}\n`)
    return [file, '--sentinel']
  }
  await startProgram('redis-server', configure, { port })
}
