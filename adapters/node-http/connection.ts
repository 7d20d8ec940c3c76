import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { runSoon } from './run-soon.ts'

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

/** A slice holds 28 of the shortest requests: at most 32 together with those that wait already. */
const sliceBytes = 512
const maxWaiting = 4

/** How many slices are parsed in one turn of the event loop. A body in chunks of one byte makes 85 events of each slice. */
const slicesPerTurn = 4

/** The properties that Node's own reading of a connection sets on the socket. */
interface Internals {
  readonly parser?: object | null
  /** True while too much waits to be written. Node's parser must not be fed then. */
  readonly _paused?: boolean
  readonly _handle?: { reading: boolean; readStop(): void } | null
}

/**
 * Reads a connection in slices from now on, each only when there is room for the requests in it. Node itself parses 64 KiB at
 * a time: two thousand requests, which nothing can hold back. Has no effect on other runtimes.
 */
export function readInSlices(socket: Connection): void {
  const internals = socket as Socket & Internals // not declared in Node's types
  const { parser } = internals
  const [feed] = socket.listeners('data')
  if (!parser || !feed || socket[slicedReading]) return
  let rest: Buffer | undefined
  let isStopped = false
  let isDue = false

  function isFull(): boolean {
    if (internals._paused || socket[isOverfull]) return true
    const count = socket[waitingResponses] ?? 0
    const req = socket[latestResponse]?.req
    if (req && !req.complete) return count > 0 || req.readableLength >= req.readableHighWaterMark
    return count >= maxWaiting
  }

  function advance(): void {
    for (let left = slicesPerTurn; left > 0 && internals.parser === parser && rest && !isFull(); left--) {
      const slice = rest.subarray(0, sliceBytes)
      rest = slice.length < rest.length ? rest.subarray(sliceBytes) : undefined
      feed?.call(socket, slice)
    }
    if (internals.parser !== parser) release()
    else if (isFull()) stop()
    else if (rest) {
      stop()
      resume()
    } else if (isStopped) {
      isStopped = false
      socket.resume()
    }
  }

  function resume(): void {
    if (!isStopped || isDue) return
    isDue = true
    runSoon(() => {
      isDue = false
      advance()
    })
  }

  /** Stops reading at once: `pause` alone would first fill a buffer. */
  function stop(): void {
    isStopped = true
    socket.pause()
    const handle = internals._handle
    if (!handle?.reading) return
    handle.reading = false
    handle.readStop()
  }

  /** Ends the reading in slices of a connection that is closed or has changed its protocol. Its listeners receive the rest. */
  function release(): void {
    socket.off('data', receive).off('resume', onResume)
    delete socket[slicedReading]
    if (rest && !socket.destroyed) socket.push(rest)
    rest = undefined
  }

  function receive(chunk: Buffer): void {
    rest = rest ? Buffer.concat([rest, chunk]) : chunk
    advance()
  }

  /** Node itself also resumes a socket, and does so again and again in one turn while a body is read. */
  function onResume(): void {
    if (isDue) {
      stop()
      return
    }
    advance()
    if (!isStopped) socket._read(0) // also starts the handle where Node had stopped it before
  }

  socket
    .on('data', receive)
    .on('resume', onResume)
    .off('data', feed as () => void) // the types of EventEmitter know listeners as any function
  socket[slicedReading] = { isFull, resume }
}
