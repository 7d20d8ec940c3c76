/** Where a limiter stores its accounts: anything synchronous, such as a SQLite table or that of a Durable Object. */
export interface AccountStorage {
  get(key: string): string | undefined
  /** Stores an account, which may be dropped at `expiresAt`, in milliseconds since the epoch. */
  set(key: string, account: string, expiresAt: number): void
}
