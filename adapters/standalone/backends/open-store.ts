import { existsSync } from 'node:fs'
import { createMemoryStore, type PetStore } from '../../../core/index.ts'
import type {
  Backend,
  BackendEvent,
  BackendOptions,
  Health,
  ManagedKeyStore,
  StoreBackend,
} from '../../backend/index.ts'
import type { PostgresDriver } from '../../postgres/index.ts'
import type { SqliteDriver } from '../../sqlite/index.ts'
import type { Print } from '../cli/print.ts'
import type { Setting } from '../cli/values.ts'
import { StartError, toStartError, UsageError } from '../errors.ts'
import { findSqlite, loadDriver } from '../load-driver.ts'
import { toSettingError } from './startup.ts'

/** Flags that choose a storage. */
export const storeKinds = ['memory', 'data', 'postgres'] as const

/** The chosen storage, and the flag or variable that chose it. */
export interface StoreChoice extends Setting {
  readonly kind: (typeof storeKinds)[number]
  /** The PostgreSQL table's name, `pets` by default. */
  readonly table?: string
  /** Maximum PostgreSQL connections, 10 by default. */
  readonly poolSize?: number
}

/** An open storage. `keys` is absent if animals are stored in memory. */
export interface OpenStore extends Backend {
  readonly store: Required<PetStore>
  readonly keys?: ManagedKeyStore
}

export interface StoreOptions extends BackendOptions {
  /** Whether to create or migrate the tables. */
  readonly migrate: boolean
}

type OpenBackend = (choice: StoreChoice, options: StoreOptions) => Promise<StoreBackend>

/**
 * Functions that open each kind of storage that outlives the process. Adapters and drivers are loaded only when they
 * are needed.
 */
const storeOpeners: Readonly<Record<Exclude<StoreChoice['kind'], 'memory'>, OpenBackend>> = {
  async data({ value: file, source }, options) {
    const driver = requireSqlite(source)
    const { openSqlite } = await import('../../sqlite/index.ts')
    return openSqlite({ ...options, file, driver })
  },
  async postgres({ value: url, source, table = 'pets', poolSize = 10 }, options) {
    const { default: driver } = (await loadDriver('pg', source)) as { default: PostgresDriver } // `loadDriver` returns the package `pg`
    const { openPostgres } = await import('../../postgres/index.ts')
    return openPostgres({ ...options, driver, url, table, poolSize })
  },
}

function requireSqlite(source: string): SqliteDriver {
  const driver = findSqlite()
  if (driver) return driver
  throw new UsageError(
    `${source} needs SQLite, which Node ${process.versions.node} does not include: use Node 22.13 or later, run npm install better-sqlite3@12 next to this program, or use --postgres or --memory`,
  )
}

/** Returns the default storage: `animals.sqlite` in the current directory, or memory if the runtime has no SQLite. */
export function chooseDefaultStore(): StoreChoice {
  return findSqlite()
    ? { kind: 'data', value: 'animals.sqlite', source: '--data' }
    : { kind: 'memory', value: 'on', source: '--memory' }
}

/**
 * Opens a server's storage and checks that it works.
 *
 * @throws {UsageError} If the driver is missing or the address is invalid.
 * @throws {StartError} If the storage cannot be used.
 */
export async function openStore(choice: StoreChoice, options: StoreOptions): Promise<OpenStore> {
  if (choice.kind === 'memory')
    return {
      store: createMemoryStore(),
      check: async () => ({}),
      metrics: () => ({}),
      async close() {},
    }
  /**
   * Events that are reported while the storage opens. They are dropped if the check fails, because the error names the
   * cause.
   */
  const earlyEvents: BackendEvent[] = []
  let onEvent: (event: BackendEvent) => unknown = (event) => earlyEvents.push(event)
  const backend = await openBackend(choice, { ...options, onEvent: (event) => onEvent(event) })
  // Animals in a read-only SQLite file can still be served.
  const { reads, writes }: Health = choice.kind === 'data' ? {} : await backend.check()
  const failure = reads ?? writes
  if (failure) {
    await backend.close()
    throw toStartError(choice.source, failure)
  }
  onEvent = (event) => options.onEvent?.(event)
  earlyEvents.forEach(onEvent)
  return backend
}

/**
 * Something that a command does with an open storage. Resolves with the output. `print` prints output that must appear
 * before the storage changes.
 */
export type StoreTask = (backend: StoreBackend, print: Print) => Promise<string>

/**
 * Opens the storage for a command and migrates it.
 *
 * @param mayCreateFile - Whether a missing SQLite file is created. Otherwise it is an error.
 */
export async function openStoreForCommand(
  choice: StoreChoice,
  clock: () => number,
  mayCreateFile: boolean,
): Promise<StoreBackend> {
  if (!mayCreateFile) requireFile(choice)
  return openBackend(choice, { migrate: true, clock })
}

/** Throws a `StartError` if the chosen SQLite file does not exist. */
export function requireFile({ kind, value, source }: StoreChoice): void {
  if (kind === 'data' && !existsSync(value))
    throw new StartError(`${source}: the file ${value} does not exist`)
}

/** Returns the chosen storage. Throws a `UsageError` if there is none, or if it is memory. */
export function requirePersistentStore(choice: StoreChoice | undefined, command: string): StoreChoice {
  if (choice && choice.kind !== 'memory') return choice
  throw new UsageError(`${command} requires --data FILE or --postgres URL`)
}

async function openBackend(choice: StoreChoice, options: StoreOptions): Promise<StoreBackend> {
  const { kind, source } = choice
  if (kind === 'memory') throw new Error('a storage in memory has no commands')
  try {
    return await storeOpeners[kind](choice, options)
  } catch (cause) {
    throw toSettingError(source, cause)
  }
}
