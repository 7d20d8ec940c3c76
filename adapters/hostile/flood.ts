import type { Crowd } from './crowd.ts'
import type { Target } from './target.ts'

/** One way to attack a server. */
export interface Flood {
  /** What its clients do, in a few words. */
  readonly title: string
  /** How many descriptors the server may have; as many as the system gives by default. */
  readonly descriptors?: number
  /** Set where no new connection can be expected to be served: then only those that are open already must be. */
  readonly takesAllConnections?: true
  /** Set where the server must write a warning. */
  readonly isLogged?: true
  /** What the server must hold first, such as animals. */
  readonly prepare?: (target: Target) => Promise<void>
  /** Begins. Returns a function that returns what the clients saw that must not be. */
  start(target: Target, crowd: Crowd): () => readonly string[]
}
