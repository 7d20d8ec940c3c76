import type { LimiterChoice } from './backends/open-limiter.ts'
import type { StoreChoice } from './backends/open-store.ts'
import { readStoreChoice, type StoreSettings } from './backends/store-settings.ts'
import type { ListenAddress, TcpAddress } from './cli/addresses.ts'
import type { OptionsOf } from './cli/flags.ts'
import { chooseOne, isFromCommandLine, readOptions, type Settings } from './cli/settings.ts'
import { UsageError } from './errors.ts'
import { type PlanSettings, readPlan } from './keys/key-settings.ts'
import type { KeySource } from './keys/open-keys.ts'
import type { InheritedSocket } from './lifecycle/listen-address.ts'
import { type ListenSettings, readListen } from './lifecycle/listen-settings.ts'
import type { RequestLogOptions } from './routes/service-hooks.ts'

/** Validated `serve` settings. */
export interface Configuration {
  readonly listening: ListenAddress | InheritedSocket
  readonly service: OptionsOf<'service'>
  /** Options for the main HTTP server. */
  readonly server: OptionsOf<'server'>
  /** Whether `/docs` is served. */
  readonly docs: boolean
  /**
   * Where `/metrics` is served: by the main server, or by a server with its own address. `undefined` turns metrics off.
   */
  readonly metrics: 'main' | TcpAddress | undefined
  readonly log: RequestLogOptions
  readonly keys: KeySource
  readonly store: StoreChoice | undefined
  /** Whether missing tables are created. If not, the server does not start without them. */
  readonly migrates: boolean
  readonly limiter: LimiterChoice
}

type KeySettings = PlanSettings & Pick<Settings, 'keys' | 'api-key'>
type LimiterSettings = Pick<Settings, 'redis' | 'redis-failure-mode'>
type PageSettings = Pick<Settings, 'no-docs' | 'metrics' | 'metrics-listen'>
type LogSettings = Pick<Settings, 'log-client-address' | 'no-log-health' | 'no-log-requests'>

/** Settings that `serve` reads itself. */
export type ServeSettings = ListenSettings &
  StoreSettings &
  KeySettings &
  LimiterSettings &
  PageSettings &
  LogSettings &
  Pick<Settings, 'no-migrate'>

/**
 * Validates the settings, individually and in combination.
 *
 * @throws {UsageError} If a setting is invalid, or settings contradict each other.
 */
export function readConfiguration(settings: ServeSettings, inherited?: InheritedSocket): Configuration {
  const { 'metrics-listen': metricsListen } = settings
  return {
    listening: readListen(settings, inherited),
    service: readOptions(settings, 'service'),
    server: readOptions(settings, 'server'),
    docs: !settings['no-docs'],
    metrics: metricsListen ? metricsListen.value : settings.metrics && 'main',
    log: {
      requests: !settings['no-log-requests'],
      health: !settings['no-log-health'],
      addresses: settings['log-client-address'] !== undefined,
    },
    keys: readKeySource(settings),
    store: readStoreChoice(settings),
    migrates: !settings['no-migrate'],
    limiter: { redis: settings.redis, failureMode: readFailureMode(settings) },
  }
}

function readKeySource(settings: KeySettings): KeySource {
  const { keys, 'api-key': apiKey, plan, minute, day } = settings
  const name = chooseOne(settings, ['keys', 'api-key'])
  if (keys && name === 'keys') {
    const misplacedSetting = [plan, minute, day].find(isFromCommandLine)
    if (misplacedSetting)
      throw new UsageError(
        `${misplacedSetting.source} and ${keys.source} cannot be used together: each key in a keys file has its own plan`,
      )
    return { kind: 'file', path: keys.value }
  }
  const chosen = readPlan(settings, 'business')
  return apiKey ? { kind: 'given', key: apiKey.value, plan: chosen } : { kind: 'stored', plan: chosen }
}

function readFailureMode({
  redis,
  'redis-failure-mode': mode,
}: LimiterSettings): LimiterChoice['failureMode'] {
  if (isFromCommandLine(mode) && mode.value !== 'local' && !redis)
    throw new UsageError(`${mode.source} requires --redis`)
  return mode?.value ?? 'local'
}
