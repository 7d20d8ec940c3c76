import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The latest response of a connection. */
export const latest: unique symbol = Symbol('latest')
/** How many responses of a connection wait behind another. */
export const waiting: unique symbol = Symbol('waiting')
/** Whether what a connection sends cannot be parsed any more. */
export const broken: unique symbol = Symbol('broken')
/** Whether more of a body is in than is taken before somebody reads it: nothing more is parsed until then. */
export const overfull: unique symbol = Symbol('overfull')
/** How a connection is read, where Node does not read it alone. */
export const reading: unique symbol = Symbol('reading')

/** Has all connections of a server read in slices from now on. */
export const readWithCare: unique symbol = Symbol('readWithCare')

/** A server whose connections can be read in slices. */
export interface CarefulServer {
  [readWithCare]?: () => void
}

/** A socket, with what is remembered of it: a WeakMap of sockets costs a tenth of a request in garbage collection. */
export interface Connection extends Socket {
  readonly server?: CarefulServer
  [latest]?: ServerResponse
  [waiting]?: number
  [broken]?: true
  [overfull]?: boolean
  [reading]?: SlicedReading
}

export interface SlicedReading {
  /** Whether nothing more is parsed for now. */
  isFull(): boolean
  /** Soon parses what has been received, as far as there is room for it. */
  goOn(): void
}
