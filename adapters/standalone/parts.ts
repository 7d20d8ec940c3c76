import type { ProcessContext } from './cli/process-context.ts'
import type { Configuration } from './configuration.ts'
import { deferKeys, prepareKeys } from './keys/keys.ts'
import type { OpenKeys } from './keys/open-keys.ts'
import { type OpenLimiter, openLimiter } from './limiter/limiter.ts'
import type { Log } from './log/log.ts'
import { createThrottledLog, type ThrottledLog } from './log/throttled-log.ts'
import { awaitStorage } from './storage/awaited.ts'
import type { OpenStorage } from './storage/open-storage.ts'
import { openStorage } from './storage/storage.ts'

/** What a server works with. */
export interface Parts {
  readonly throttled: ThrottledLog
  readonly limiter: OpenLimiter
  readonly storage: OpenStorage
  readonly keys: OpenKeys
  /**
   * Fulfills when a storage is open that was not there at the start, with its keys; rejects with `StartError` when it will
   * not be. Absent where the storage was there.
   */
  readonly opening: Promise<OpenKeys> | undefined
  /** Closes the storage and the limiter, after the last response. */
  close(): Promise<void>
}

/** Opens the limiter, the storage and the keys. Rejects with `StartError`, and leaves nothing open then. */
export async function openParts(
  { keys: keySource, limiter: limiterChoice, storage: choice, migrates, waitMs }: Configuration,
  { clock, events }: ProcessContext,
  log: Log,
): Promise<Parts> {
  const throttled = createThrottledLog(log, clock)
  const openKeys = prepareKeys(keySource, clock, log)
  const limiter = await openLimiter(limiterChoice, clock, throttled)
  const toClose: (() => unknown)[] = [limiter.close]
  const close = async () => {
    await Promise.all(toClose.map((closePart) => closePart()))
  }
  try {
    const open = () => openStorage(choice, throttled, { migrates, clock, events })
    const storage = await awaitStorage(open, waitMs, throttled)
    toClose.push(storage.close)
    const openWith = ({ keys: stored }: OpenStorage) => openKeys(stored)
    const opening = storage.opening?.then(openWith)
    opening?.catch(() => {}) // the server that waits for it handles it
    let keys: OpenKeys
    if (!opening) keys = await openWith(storage)
    else keys = keySource.kind === 'stored' ? deferKeys(opening) : await openKeys(undefined)
    return { throttled, limiter, storage, keys, opening, close }
  } catch (cause) {
    await close()
    throw cause
  }
}
