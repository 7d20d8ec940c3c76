import type { ServiceOptions } from '../../core/index.ts'
import type { PetServerOptions } from '../node-http/index.ts'
import type { ListenAddress, TcpAddress } from './cli/addresses.ts'
import type { ServerOption, ServiceOption } from './cli/flags.ts'
import { isFlag, oneOf, readServerOptions, readServiceOptions, type Settings } from './cli/settings.ts'
import { UsageError } from './errors.ts'
import { type PlanSettings, readPlan } from './keys/key-settings.ts'
import type { KeySource } from './keys/keys.ts'
import type { InheritedSocket } from './lifecycle/listen-address.ts'
import { type ListenSettings, readListen } from './lifecycle/listen-settings.ts'
import type { LimiterChoice } from './limiter/limiter.ts'
import type { RequestLogOptions } from './routes/service-hooks.ts'
import { readStorage, type StorageChoice, type StorageSettings } from './storage/storage-settings.ts'

/** The settings of `serve`, validated. */
export interface Configuration {
  readonly listening: ListenAddress | InheritedSocket
  readonly service: Pick<ServiceOptions, ServiceOption>
  /** Options of the server of the service. */
  readonly server: Pick<PetServerOptions, ServerOption>
  /** Serve the page `/docs`. */
  readonly docs: boolean
  /** The place of `/metrics`: next to the service, or a server of its own. Undefined without metrics. */
  readonly metrics: 'main' | TcpAddress | undefined
  readonly log: RequestLogOptions
  readonly keys: KeySource
  readonly storage: StorageChoice | undefined
  /** Create tables that the storage lacks; otherwise their lack stops the start. */
  readonly migrates: boolean
  readonly limiter: LimiterChoice
}

type KeySettings = PlanSettings & Pick<Settings, 'keys' | 'api-key'>
type LimiterSettings = Pick<Settings, 'redis' | 'redis-down'>
type PageSettings = Pick<Settings, 'no-docs' | 'metrics' | 'metrics-listen'>
type LogSettings = Pick<Settings, 'log-client-address' | 'no-log-health' | 'no-log-requests'>

/** The flags that a server reads. Flags that set an option of the service or of its server need no reader. */
export type ServeSettings = ListenSettings &
  StorageSettings &
  KeySettings &
  LimiterSettings &
  PageSettings &
  LogSettings &
  Pick<Settings, 'no-migrate'>

/** Validates the settings, one by one and together. Throws `UsageError`. */
export function readConfiguration(settings: ServeSettings, inherited?: InheritedSocket): Configuration {
  const { 'metrics-listen': metricsListen } = settings
  return {
    listening: readListen(settings, inherited),
    service: readServiceOptions(settings),
    server: readServerOptions(settings),
    docs: !settings['no-docs'],
    metrics: metricsListen ? metricsListen.value : settings.metrics && 'main',
    log: {
      requests: !settings['no-log-requests'],
      health: !settings['no-log-health'],
      addresses: settings['log-client-address'] !== undefined,
    },
    keys: readKeySource(settings),
    storage: readStorage(settings),
    migrates: !settings['no-migrate'],
    limiter: { redis: settings.redis, redisDown: readRedisDown(settings) },
  }
}

function readKeySource(settings: KeySettings): KeySource {
  const { keys, 'api-key': apiKey, plan, minute, day } = settings
  const name = oneOf(settings, ['keys', 'api-key'])
  if (keys && name === 'keys') {
    const stray = [plan, minute, day].find(isFlag)
    if (stray)
      throw new UsageError(
        `${stray.source} and ${keys.source} cannot be used together: in a keys file each key has its own plan`,
      )
    return { kind: 'file', path: keys.value }
  }
  const chosen = readPlan(settings, 'business')
  return apiKey ? { kind: 'given', key: apiKey.value, plan: chosen } : { kind: 'stored', plan: chosen }
}

function readRedisDown({ redis, 'redis-down': mode }: LimiterSettings): LimiterChoice['redisDown'] {
  if (isFlag(mode) && mode.value !== 'local' && !redis)
    throw new UsageError(`${mode.source} requires --redis: give both`)
  return mode?.value ?? 'local'
}
