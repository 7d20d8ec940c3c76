import { setTimeout as sleep } from 'node:timers/promises'
import { type PetStore, StoreUnavailable } from '../../../core/index.ts'
import { mayPass as mayPassInPostgres } from '../../postgres/failure.ts'
import { mayPass as mayPassInSqlite } from '../../sqlite/failure.ts'
import { explain, StartError } from '../errors.ts'
import type { OpenStorage, StorageLog } from './open-storage.ts'

/** How long a server tries before it listens without its storage, and the pause after an attempt, in milliseconds. */
const timeMs = { first: 1_000, pause: 500 }

/**
 * Opens a storage, and waits for it up to `waitMs` where that can help: for a server that does not respond, not for one that
 * rejects the password. After a second it returns a storage whose methods throw `StoreUnavailable` until it is there. Rejects
 * with `StartError`.
 */
export async function awaitStorage(
  open: () => Promise<OpenStorage>,
  waitMs: number,
  log: StorageLog,
): Promise<OpenStorage> {
  if (waitMs === 0) return open()
  const deadline = performance.now() + waitMs
  const ending = new AbortController()
  let current: OpenStorage | undefined
  let failure: unknown = new StoreUnavailable('the storage has not responded yet')

  /** Tries until the storage is open. */
  async function untilOpen(): Promise<OpenStorage> {
    for (;;) {
      try {
        current = await open()
        if (ending.signal.aborted) await current.close()
        return current
      } catch (cause) {
        failure = cause
        if (!isPassing(cause)) throw cause
        if (performance.now() + timeMs.pause >= deadline)
          throw new StartError(`${explain(cause, false)} (waited ${waitMs / 1000} s for the storage)`, {
            cause,
          })
        await sleep(timeMs.pause, undefined, ending)
      }
    }
  }

  const opening = untilOpen()
  await Promise.race([opening, sleep(timeMs.first, undefined, { ref: false })])
  if (current) return current
  log.warning(
    'storage',
    `the storage is not there: ${explain(failure, false)}; requests get 503 until it is, for up to ${waitMs / 1000} s`,
  )
  opening.then(
    () => log.info('storage', 'the storage is there'),
    () => {},
  )

  function required(): OpenStorage {
    if (current) return current
    throw new StoreUnavailable('the storage is not there yet', { cause: failure })
  }
  const store: Required<PetStore> = {
    create: (pet) => required().store.create(pet),
    get: (id) => required().store.get(id),
    list: (query) => required().store.list(query),
    page: (query) => required().store.page(query),
    createOnce: (pet, key) => required().store.createOnce(pet, key),
    findCreated: (key) => required().store.findCreated(key),
    update: (id, changes) => required().store.update(id, changes),
    remove: (id) => required().store.remove(id),
  }
  const health = () => current?.health() ?? { readFailure: failure, writeFailure: failure }
  return {
    opening,
    store,
    health,
    check: async () => current?.check() ?? health(),
    connections: () => current?.connections?.() ?? { used: 0, idle: 0, waiting: 0 },
    async close() {
      ending.abort()
      await current?.close()
    },
  }
}

/** Whether an error or one of its causes may pass without a change by an operator. */
function isPassing(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return mayPassInPostgres(cause) || mayPassInSqlite(cause) || isPassing(cause.cause)
}
