import type { KeyCount, KeyStore } from '../../../core/index.ts'

/** What the metrics show of the keys. */
export interface KeyFigures extends KeyCount {
  /** When they were read, in milliseconds since the epoch. */
  readonly loadedAt: number
}

/** The keys of a server. */
export interface OpenKeys {
  readonly store: KeyStore
  /** A new key, to be shown once. */
  readonly made?: string
  /** Reads the keys again and logs the result. An invalid file changes nothing. */
  readonly reload?: () => void
  /** Returns the figures as they were when they were last read; undefined before that. */
  figures(): KeyFigures | undefined
  /** Reads the figures again if they are too old. Resolves within a second; never rejects. */
  refresh(): Promise<void>
  /** Ends what it does by itself. */
  close(): void
}
