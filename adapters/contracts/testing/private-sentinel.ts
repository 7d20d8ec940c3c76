import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { type Part, partValue } from './part.ts'
import { commandOf } from './private-cluster.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'
import { createProgram } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A master with two replicas and three Sentinels, which one test file starts for itself. */
export interface PrivateSentinel {
  readonly ports: readonly number[]
  readonly masterName: string
  /** Resolves with the master once every Sentinel names the same, and no failover is under way. */
  master(): Promise<PrivateRedis>
}

/** After how long without a response the Sentinels fail a master over, in milliseconds. */
const downAfterMs = 2000
/** How long they wait for a vote and for the replicas, and half of the pause between two failovers, in milliseconds. */
const failoverMs = 3000

const masterName = 'limits'

/** Starts them, if this machine has the program. */
export async function createPrivateSentinel(): Promise<Part<PrivateSentinel>> {
  const first = await createPrivateRedis('--repl-diskless-sync-delay', '0')
  if ('absent' in first) return first
  const { port } = first.value
  const replicas = await Promise.all(
    [1, 2].map(async () => partValue(await createPrivateRedis('--replicaof', `127.0.0.1 ${port}`))),
  )
  const servers = [first.value, ...replicas]
  const ports = await Promise.all([1, 2, 3].map(() => startSentinel(port)))

  /** Returns what each Sentinel knows of the master. */
  async function known(name: string): Promise<readonly string[]> {
    const all = await Promise.all(
      ports.map((each) => commandOf({ port: each }, 'SENTINEL', 'MASTER', masterName)),
    )
    return all.map((text) => text.split('\n')).map((lines) => lines[lines.indexOf(name) + 1] ?? '')
  }

  const know = async (name: string, count: number) =>
    (await known(name)).every((value) => Number(value) >= count)

  for (const replica of replicas)
    while (!(await commandOf(replica, 'INFO', 'replication')).includes('master_link_status:up'))
      await setTimeout(50)
  while (!((await know('num-slaves', 2)) && (await know('num-other-sentinels', 2)))) await setTimeout(50)

  return {
    value: {
      ports,
      masterName,
      async master() {
        for (;;) {
          const [current, ...others] = new Set(await known('port'))
          const server = servers.find((each) => String(each.port) === current)
          const flags = (await known('flags')).join()
          if (server && others.length === 0 && !flags.includes('failover')) return server
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
    `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
    `sentinel failover-timeout ${masterName} ${failoverMs}`,
  ])
  return port
}

/** Launches a Sentinel with the lines of its settings, which name the port. It is ended when the test file is done. */
export async function launchSentinel(port: number, settings: readonly string[]): Promise<void> {
  after(() => sentinel.stop()) // before its folder is removed
  const folder = temporaryFolder()
  const file = join(folder, 'sentinel.conf')
  await writeFile(file, `${[`dir ${folder}`, ...settings].join('\n')}\n`)
  const sentinel = createProgram(port, 'redis-server', [file, '--sentinel'])
  await sentinel.start()
}
