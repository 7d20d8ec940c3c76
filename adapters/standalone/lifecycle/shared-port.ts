import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { StartError } from '../errors.ts'
import type { LimiterChoice } from '../limiter/limiter.ts'
import { storageFlag } from '../storage/storage.ts'
import type { StorageChoice } from '../storage/storage-settings.ts'
import type { Listening } from './listen-address.ts'

/** What processes that share a port must agree on. */
interface SharedSettings {
  readonly listening: Listening
  readonly storage: StorageChoice | undefined
  readonly limiter: LimiterChoice
  readonly metrics: 'main' | Listening | undefined
}

/** Whether Linux, from 5.14 on, hands the connections of a socket that closes to the others on its port (ip-sysctl of its documentation). */
const migrationSetting = '/proc/sys/net/ipv4/tcp_migrate_req'

/** Returns whether the server shares its port with other processes. */
function sharesPort({ listening: { address } }: SharedSettings): boolean {
  return address.kind === 'tcp' && address.reusePort === true
}

/** Throws `StartError`: a key that each process made for itself would be valid in one of them, by luck. */
export function refuseMadeKey(configuration: SharedSettings): void {
  if (!sharesPort(configuration)) return
  throw new StartError(
    `with --reuse-port, each process would make a key of its own: issue one for all of them first, with pet-adoption-service keys issue ${storageFlag(configuration.storage)} --id NAME --plan PLAN, or give them --keys FILE`,
  )
}

/** Returns the warnings for a server that shares its port: what each process does alone, and what to do about it. */
export function sharedPortWarnings(
  configuration: SharedSettings,
  migrates: boolean = migratesConnections(),
): readonly string[] {
  if (!sharesPort(configuration)) return []
  const { limiter, metrics } = configuration
  const warnings: string[] = []
  if (!limiter.redis)
    warnings.push(
      'each process that shares the port counts requests alone, so that N processes admit N times each limit: give all of them --redis',
    )
  if (metrics === 'main')
    warnings.push(
      '/metrics shows one of the processes that share the port, and which one is luck: give each of them a --metrics-listen of its own',
    )
  if (!migrates)
    warnings.push(
      'when this process stops, the system resets connections that it has not accepted: set net.ipv4.tcp_migrate_req=1 with sysctl (Linux 5.14 or later), or let a supervisor hold the socket (LISTEN_FDS)',
    )
  return warnings
}

function migratesConnections(): boolean {
  try {
    return readFileSync(migrationSetting, 'utf8').trim() === '1'
  } catch {
    return false
  }
}

/** The options of `listen`, with one that the types of Node 20 do not have. */
type PortOptions = { readonly host: string; readonly port: number; readonly reusePort: true }

/**
 * Checks that two servers can listen on one port of this system and runtime: some refuse the option, others ignore it, so that
 * only the second process would fail. Rejects with `StartError`.
 */
export async function checkReusePort(): Promise<void> {
  const servers: Server[] = []
  try {
    const [first, second] = [createServer(), createServer()]
    servers.push(first, second)
    const port = await portOf(first, 0)
    await portOf(second, port)
  } catch (cause) {
    throw new StartError(
      '--reuse-port does not work here: it requires Linux, and Node 22.12 or later or Deno. Start each process with a --port of its own behind a proxy, or let systemd hold the sockets (LISTEN_FDS)',
      { cause },
    )
  } finally {
    for (const server of servers) server.close()
  }
}

async function portOf(server: Server, port: number): Promise<number> {
  const options: PortOptions = { host: '127.0.0.1', port, reusePort: true }
  server.listen(options)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
