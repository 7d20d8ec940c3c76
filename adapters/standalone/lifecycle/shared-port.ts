import { readFileSync } from 'node:fs'
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
export function sharesPort({ listening: { address } }: Pick<SharedSettings, 'listening'>): boolean {
  return address.kind === 'tcp' && address.reusePort === true
}

/** Throws `StartError`: a key that each process made for itself would be valid in one of them, by luck. */
export function refuseMadeKey(configuration: Pick<SharedSettings, 'listening' | 'storage'>): void {
  if (!sharesPort(configuration)) return
  throw new StartError(
    `with --reuse-port, each process would make a key of its own: issue one for all of them first, with pet-adoption-service keys issue ${storageFlag(configuration.storage)} --id NAME --plan PLAN, or give them --keys FILE`,
  )
}

/** Returns the warnings for a server that shares its port: what each process does alone, and what to do about it. */
export function sharedPortWarnings(
  configuration: Pick<SharedSettings, 'listening' | 'limiter' | 'metrics'>,
  migrates: boolean = migratesConnections(),
): readonly string[] {
  if (!sharesPort(configuration)) return []
  const { limiter, metrics } = configuration
  return [
    ...(limiter.redis
      ? []
      : [
          'each process that shares the port counts requests alone, so that N processes admit N times each limit: give all of them --redis',
        ]),
    ...(metrics === 'main'
      ? [
          '/metrics shows one of the processes that share the port, and which one is luck: give each of them a --metrics-listen of its own',
        ]
      : []),
    ...(migrates
      ? []
      : [
          'when this process stops, the system resets connections that it has not accepted: set net.ipv4.tcp_migrate_req=1 with sysctl (Linux 5.14 or later), or let a supervisor hold the socket (LISTEN_FDS)',
        ]),
  ]
}

function migratesConnections(): boolean {
  try {
    return readFileSync(migrationSetting, 'utf8').trim() === '1'
  } catch {
    return false
  }
}
