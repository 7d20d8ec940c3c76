/** What fails: `redis`, all that a call needs; `memory`, only the memory for further addresses. */
export type FailingPart = 'redis' | 'memory'

/** What a limiter reports about its Redis. */
export interface RedisEvents {
  /**
   * Called with the first failure after a success. It is also a failure that Redis has no memory left for addresses. Without
   * it, the `onError` of the service is called. Each server of a cluster has failures of its own.
   */
  readonly onFault?: ((error: unknown, part: FailingPart) => void) | undefined
  /** Called with the first success after a failure; in a cluster, once no server fails any more. */
  readonly onRecover?: ((part: FailingPart) => void) | undefined
}
