import type { Crowd } from './crowd.ts'
import type { Target } from './target.ts'

/** One way to attack a server. */
export interface Flood {
  /** Describes its clients in a few words. */
  readonly title: string
  /** The limit of descriptors of the server; that of the system by default. */
  readonly descriptors?: number
  /** Set where the flood occupies all connections: the server must only serve the clients that are connected already. */
  readonly takesAllConnections?: true
  /** Set where the server must log a warning. */
  readonly isLogged?: true
  /** Creates on the server what the flood needs, such as animals. */
  readonly prepare?: (target: Target) => Promise<void>
  /** Starts the flood. Returns a function that returns the broken promises that its clients have seen. */
  start(target: Target, crowd: Crowd): () => readonly string[]
}
