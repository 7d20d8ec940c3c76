import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The latest API key of a connection. */
export const latestToken: unique symbol = Symbol('latestToken')
/** The hash of that key. */
export const latestDigest: unique symbol = Symbol('latestDigest')
/** The latest response of a connection. */
export const latestResponse: unique symbol = Symbol('latestResponse')
/** How many responses of a connection wait for an earlier one. */
export const waitingResponses: unique symbol = Symbol('waitingResponses')
/** Whether the rest of a connection cannot be parsed. */
export const isBroken: unique symbol = Symbol('isBroken')
/** Whether a body has reached the bound for bytes that the pipeline has not asked for. Nothing more is parsed until it does. */
export const isOverfull: unique symbol = Symbol('isOverfull')
/** Controls a connection that is read in slices. */
export const slicedReading: unique symbol = Symbol('slicedReading')

/** Reads all connections of a server in slices from now on. */
export const readAllInSlices: unique symbol = Symbol('readAllInSlices')

/** A server whose connections can be read in slices. */
export interface SlicingServer {
  [readAllInSlices]?: () => void
}

/** A socket and the state of its connection. */
export interface Connection extends Socket {
  readonly server?: SlicingServer
  [latestToken]?: string
  [latestDigest]?: string
  [latestResponse]?: ServerResponse
  [waitingResponses]?: number
  [isBroken]?: true
  [isOverfull]?: boolean
  [slicedReading]?: SlicedReading
}

export interface SlicedReading {
  /** Whether nothing more may be parsed for now. */
  isFull(): boolean
  /** Soon parses what has been received, as far as there is room for it. */
  resume(): void
}
