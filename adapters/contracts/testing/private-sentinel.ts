import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { type Part, partValue } from './part.ts'
import { commandOf } from './private-cluster.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A master with two replicas and three Sentinels, which one test file starts for itself. */
export interface PrivateSentinel {
  readonly servers: readonly PrivateRedis[]
  readonly ports: readonly number[]
  readonly masterName: string
  /** Returns the master that a Sentinel names. */
  master(): Promise<PrivateRedis>
}

/** After how long without a response the Sentinels fail a master over, in milliseconds. */
export const downAfterMs = 2000

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

  /** Returns what the first Sentinel knows of its master. */
  async function known(name: string): Promise<number> {
    const lines = (await commandOf(sentinelAt(ports[0]), 'SENTINEL', 'MASTER', masterName)).split('\n')
    return Number(lines[lines.indexOf(name) + 1])
  }

  for (const replica of replicas)
    while (!(await commandOf(replica, 'INFO', 'replication')).includes('master_link_status:up'))
      await setTimeout(50)
  while ((await known('num-slaves')) < 2 || (await known('num-other-sentinels')) < 2) await setTimeout(50)

  return {
    value: {
      servers,
      ports,
      masterName,
      async master() {
        const current = await known('port')
        const server = servers.find((each) => each.port === current)
        if (!server) throw new Error('no Sentinel names a server of this test')
        return server
      },
    },
  }
}

function sentinelAt(port = 0): Pick<PrivateRedis, 'port'> {
  return { port }
}

async function startSentinel(master: number): Promise<number> {
  const port = await freePort()
  await launchSentinel([
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${masterName} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
    `sentinel failover-timeout ${masterName} 6000`,
  ])
  for (;;) {
    try {
      if ((await commandOf(sentinelAt(port), 'PING')) === 'PONG') return port
    } catch {
      await setTimeout(20) // it does not listen yet
    }
  }
}

/** Launches a Sentinel with the lines of its settings. It is ended when the test file is done. */
export async function launchSentinel(settings: readonly string[]): Promise<void> {
  let sentinel: ChildProcess | undefined
  after(async () => {
    if (!sentinel?.kill('SIGKILL')) return
    if (sentinel.exitCode === null && sentinel.signalCode === null) await once(sentinel, 'exit')
  })
  const folder = temporaryFolder()
  const file = join(folder, 'sentinel.conf')
  await writeFile(file, `${[`dir ${folder}`, ...settings].join('\n')}\n`)
  sentinel = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' })
}
