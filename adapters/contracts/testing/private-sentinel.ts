import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'
import { runCommand } from './private-cluster.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'
import { startProgram } from './program.ts'
import { getResource, type Resource } from './resource.ts'

/** Redis Sentinel for one test file: three sentinels, a master and two replicas. */
export interface PrivateSentinel {
  readonly ports: readonly number[]
  readonly masterName: string
  /** Returns the master when all sentinels agree on it and no failover is in progress. */
  findMaster(): Promise<PrivateRedis>
}

const masterName = 'limits'

/** Starts Redis Sentinel, and stops it after the tests. */
export async function createPrivateSentinel(): Promise<Resource<PrivateSentinel>> {
  const firstServer = await createPrivateRedis('--repl-diskless-sync-delay', '0')
  if ('absent' in firstServer) return firstServer
  const { port } = firstServer.value
  const startReplica = async () => getResource(await createPrivateRedis('--replicaof', `127.0.0.1 ${port}`))
  const servers = [firstServer.value, ...(await Promise.all([startReplica(), startReplica()]))]
  const ports = await Promise.all([1, 2, 3].map(() => startSentinel(port)))

  /** Returns what each sentinel reports about the master. */
  async function readMasterInfo(): Promise<readonly Record<string, string>[]> {
    const askServer = (each: number) => runCommand({ port: each }, 'SENTINEL', 'MASTER', masterName)
    const masterTexts = await Promise.all(ports.map(askServer))
    return masterTexts.map((text) => {
      const nameValuePairs = `${text}\n`.matchAll(/(.*)\n(.*)\n/g) // a name and its value on the next line
      return Object.fromEntries([...nameValuePairs].map(([, name, value]) => [name, value]))
    })
  }

  async function isReady(): Promise<boolean> {
    const online = (await runCommand({ port }, 'INFO', 'replication')).match(/state=online/g)
    const knowsEveryServer = (one: Record<string, string>) =>
      one['num-slaves'] === '2' && one['num-other-sentinels'] === '2'
    return online?.length === 2 && (await readMasterInfo()).every(knowsEveryServer)
  }

  while (!(await isReady())) await setTimeout(50)
  return {
    value: {
      ports,
      masterName,
      async findMaster() {
        for (;;) {
          const masterInfo = await readMasterInfo()
          const server = servers.find((each) => masterInfo.every((one) => one.port === String(each.port)))
          if (server && !masterInfo.some((one) => one.flags?.includes('failover'))) return server
          await setTimeout(100)
        }
      },
    },
  }
}

async function startSentinel(master: number): Promise<number> {
  const port = await findFreePort()
  await launchSentinel(port, [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${masterName} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${masterName} 2000`,
    // The failover timeout also limits votes and resynchronization, and is half the time between two failovers.
    `sentinel failover-timeout ${masterName} 3000`,
  ])
  return port
}

/** Starts a Redis server in sentinel mode, and stops it after the tests. */
export async function launchSentinel(port: number, settings: readonly string[]): Promise<void> {
  function configure(_: number, folder: string): readonly string[] {
    const file = join(folder, 'sentinel.conf')
    writeFileSync(file, `${[`dir ${folder}`, ...settings].join('\n')}\n`)
    return [file, '--sentinel']
  }
  await startProgram('redis-server', configure, { port })
}
