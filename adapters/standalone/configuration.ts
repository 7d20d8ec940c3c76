import type { ServiceOptions } from '../../core/index.ts'
import { checkServiceOptions, createClientReader } from '../../core/internal.ts'
import { unavailabilities } from '../redis/index.ts'
import { isFlag, oneOf, type Setting, type Settings } from './cli/settings.ts'
import { UsageError } from './errors.ts'
import { minKeyLength } from './keys/key.ts'
import { readPlan } from './keys/key-settings.ts'
import type { KeySource } from './keys/keys.ts'
import type { InheritedSocket, ListenAddress, TcpAddress } from './lifecycle/listen-address.ts'
import { readListen, readTcpAddress } from './lifecycle/listen-settings.ts'
import type { LimiterChoice } from './limiter/limiter.ts'
import type { RequestLogOptions } from './routes/service-hooks.ts'
import { readStorage, type StorageChoice } from './storage/storage-settings.ts'

/** The settings of `serve`, validated. */
export interface Configuration {
  readonly listening: ListenAddress | InheritedSocket
  readonly service: Pick<ServiceOptions, 'basePath' | 'trustProxy' | 'cors'>
  /** Whether there is a page `/docs`. */
  readonly docs: boolean
  /** Where the page `/metrics` is: next to the service, or on a server of its own. Undefined where there is none. */
  readonly metrics: 'main' | TcpAddress | undefined
  readonly log: RequestLogOptions
  readonly keys: KeySource
  readonly storage: StorageChoice | undefined
  /** Whether tables that the storage lacks are created; otherwise it stops the start. */
  readonly migrates: boolean
  readonly limiter: LimiterChoice
}

/** Validates the settings, one by one and together. Throws `UsageError`. */
export function readConfiguration(settings: Settings, inherited?: InheritedSocket): Configuration {
  const { 'base-path': basePath, 'trust-proxy': trustProxy, cors, 'metrics-listen': metricsListen } = settings
  return {
    listening: readListen(settings, inherited),
    service: {
      ...(basePath && { basePath: readOption(basePath, 'basePath', String) }),
      ...(trustProxy && { trustProxy: readOption(trustProxy, 'trustProxy', readProxies) }),
      ...(cors && { cors: readOption(cors, 'cors', readList) }),
    },
    docs: !settings['no-docs'],
    metrics: metricsListen ? readTcpAddress(metricsListen) : settings.metrics && 'main',
    log: {
      requests: settings['no-log-requests'] === undefined,
      addresses: settings['log-client-address'] !== undefined,
      health: settings['no-log-health'] === undefined,
    },
    keys: readKeySource(settings),
    storage: readStorage(settings),
    migrates: !settings['no-migrate'],
    limiter: { redis: settings.redis, redisDown: readRedisDown(settings) },
  }
}

/** Reads an option of the service, which validates it. A `UsageError` names the source in place of the option. */
function readOption<Name extends 'basePath' | 'trustProxy' | 'cors', T extends ServiceOptions[Name]>(
  { value, source }: Setting,
  option: Name,
  parse: (value: string) => T,
): T {
  try {
    const parsed = parse(value)
    checkServiceOptions({ [option]: parsed })
    return parsed
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(message.replace(`options.${option}`, source))
  }
}

function readProxies(value: string): number | readonly string[] {
  const proxies = /^\d+$/.test(value) ? Number(value) : readList(value)
  createClientReader(proxies) // throws where a network is invalid
  return proxies
}

function readList(value: string): readonly string[] {
  return value.split(',').map((entry) => entry.trim())
}

function readKeySource(settings: Settings): KeySource {
  const name = oneOf(settings, ['keys', 'api-key'])
  const { value = '', source = '' } = (name && settings[name]) ?? {}
  if (name === 'keys') {
    const stray = [settings.plan, settings.minute, settings.day].find(isFlag)
    if (stray)
      throw new UsageError(
        `${stray.source} and ${source} exclude each other: in a keys file each key has its own plan`,
      )
    return { kind: 'file', path: value }
  }
  const plan = readPlan(settings, 'business')
  if (name === undefined) return { kind: 'stored', plan }
  if (!/^[\w\-.~+/]+=*$/.test(value) || value.length < minKeyLength)
    throw new UsageError(
      `${source} must be at least ${minKeyLength} letters, digits and -._~+/, which callers can send: make a key with pet-adoption-service keygen --id NAME --plan PLAN`,
    )
  return { kind: 'given', key: value, plan }
}

function readRedisDown(settings: Settings): LimiterChoice['redisDown'] {
  const mode = settings['redis-down']
  if (isFlag(mode) && mode.value !== 'local' && !settings.redis) {
    throw new UsageError(`${mode.source} requires --redis: give both`)
  }
  return unavailabilities.find((name) => name === mode?.value) ?? 'local'
}
