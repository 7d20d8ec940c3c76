import type { MaybePromise } from '../../../core/index.ts'
import type { KeyCount } from '../../backend/index.ts'

/** Key counts for metrics. */
export interface KeyFigures extends KeyCount {
  /** When the keys were counted, in milliseconds since the epoch. */
  readonly loadedAt: number
  /** Whether the keys file was valid at the last reload. Absent without a keys file. */
  readonly isFileValid?: boolean
}

/** How long a count is reused, in milliseconds. PostgreSQL needs 0.5 s to count 1,000,000 keys. */
const maxAgeMs = 60_000

/**
 * Creates a function that counts keys for metrics, at most once a minute. If a later count fails, the function resolves
 * with the previous one.
 *
 * @param count - Counts the keys at a time, in milliseconds since the epoch.
 * @param clock - Returns milliseconds since the epoch.
 * @throws If the first count fails.
 */
export async function createKeyFiguresReader(
  count: (now: number) => MaybePromise<KeyCount>,
  clock: () => number,
): Promise<() => Promise<KeyFigures>> {
  async function load(): Promise<KeyFigures> {
    const loadedAt = clock()
    return { ...(await count(loadedAt)), loadedAt }
  }

  let last = await load()
  let pending: Promise<void> | undefined

  return async () => {
    const now = clock()
    if (last.loadedAt <= now && now < last.loadedAt + maxAgeMs) return last
    pending ??= load().then(
      (figures) => {
        last = figures
      },
      () => {}, // keeps the previous figures
    )
    await pending
    pending = undefined
    return last
  }
}
