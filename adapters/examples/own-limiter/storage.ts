/** Where a limiter stores its accounts: anything synchronous, such as a table of SQLite or of a Durable Object. */
export interface AccountStorage {
  get(key: string): string | undefined
  /** Stores an account. It may be deleted at `expiresAt`, in milliseconds since the epoch. */
  set(key: string, account: string, expiresAt: number): void
}
