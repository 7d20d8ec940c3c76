import type { ProcessContext } from './cli/process-context.ts'
import type { Configuration } from './configuration.ts'
import { openKeys } from './keys/keys.ts'
import type { OpenKeys } from './keys/open-keys.ts'
import { type OpenLimiter, openLimiter } from './limiter/limiter.ts'
import { createThrottledLog, type Log, type ThrottledLog } from './log/log.ts'
import type { OpenStorage } from './storage/open-storage.ts'
import { openStorage } from './storage/storage.ts'

/** What a server works with. */
export interface Parts {
  readonly log: Log
  readonly throttled: ThrottledLog
  readonly limiter: OpenLimiter
  readonly storage: OpenStorage
  readonly keys: OpenKeys
  /** Closes the storage and the limiter, after the last response. */
  close(): Promise<void>
}

/** Opens the limiter, the storage and the keys. Rejects with `StartError`, and leaves nothing open then. */
export async function openParts(
  { keys: keySource, limiter: limiterChoice, storage: choice, migrates }: Configuration,
  { clock }: ProcessContext,
  log: Log,
): Promise<Parts> {
  const throttled = createThrottledLog(log, clock)
  const limiter = await openLimiter(limiterChoice, clock, throttled)
  const toClose: (() => unknown)[] = [limiter.close]
  const close = async () => {
    await Promise.all(toClose.map((closePart) => closePart()))
  }
  try {
    const storage = await openStorage(choice, throttled, { migrates, clock })
    toClose.push(storage.close)
    const keys = await openKeys(keySource, storage.keys, clock, log)
    return { log, throttled, limiter, storage, keys, close }
  } catch (cause) {
    await close()
    throw cause
  }
}
