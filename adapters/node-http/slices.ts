import type { Socket } from 'node:net'
import { type Connection, latest, overfull, reading, waiting } from './connection.ts'
import { soon } from './soon.ts'

/** A slice holds 28 of the shortest requests: with those that wait already at most 32. */
const sliceBytes = 512
const maxWaiting = 4

/** So many slices are parsed in one turn of the loop: a body in chunks of one byte makes 85 events of each. */
const slicesPerTurn = 4

/** What Node's own reading of a connection leaves on the socket. */
interface Internals {
  readonly parser?: object | null
  /** Set while too much waits to be written: Node's parser must not be fed then. */
  readonly _paused?: boolean
  readonly _handle?: { reading: boolean; readStop(): void } | null
}

/**
 * Reads a connection in slices from now on, each only when there is room for the requests in it. What Node reads alone is
 * parsed 64 KiB at a time: two thousand requests, which nothing can hold back. Does nothing on other runtimes.
 */
export function readInSlices(socket: Connection): void {
  const internals = socket as Socket & Internals // they are not declared
  const { parser } = internals
  const [feed] = socket.listeners('data')
  if (!parser || !feed || socket[reading]) return
  let rest: Buffer | undefined
  let isStopped = false
  let isDue = false

  function isFull(): boolean {
    if (internals._paused || socket[overfull]) return true
    const count = socket[waiting] ?? 0
    const req = socket[latest]?.req
    if (req && !req.complete) return count > 0 || req.readableLength >= req.readableHighWaterMark
    return count >= maxWaiting
  }

  function advance(): void {
    for (let left = slicesPerTurn; left > 0 && internals.parser === parser && rest && !isFull(); left--) {
      const slice = rest.subarray(0, sliceBytes)
      rest = slice.length < rest.length ? rest.subarray(sliceBytes) : undefined
      feed?.call(socket, slice)
    }
    if (internals.parser !== parser) giveBack()
    else if (isFull()) stop()
    else if (rest) {
      stop()
      goOn()
    } else if (isStopped) {
      isStopped = false
      socket.resume()
    }
  }

  function goOn(): void {
    if (!isStopped || isDue) return
    isDue = true
    soon(() => {
      isDue = false
      advance()
    })
  }

  /** Stops at once, where `pause` alone would first fill a buffer. */
  function stop(): void {
    isStopped = true
    socket.pause()
    const handle = internals._handle
    if (!handle?.reading) return
    handle.reading = false
    handle.readStop()
  }

  /** The connection is closed, or belongs to another protocol now: the rest is for the listeners of that. */
  function giveBack(): void {
    socket.off('data', take).off('resume', onResume)
    delete socket[reading]
    if (rest && !socket.destroyed) socket.push(rest)
    rest = undefined
  }

  function take(chunk: Buffer): void {
    rest = rest ? Buffer.concat([rest, chunk]) : chunk
    advance()
  }

  /** Node resumes a socket for reasons of its own, such as a body that is read: also within a turn, again and again. */
  function onResume(): void {
    if (isDue) {
      stop()
      return
    }
    advance()
    if (!isStopped) socket._read(0) // starts it also where Node stopped it while it read alone
  }

  socket
    .on('data', take)
    .on('resume', onResume)
    .off('data', feed as () => void) // a listener, as EventEmitter has it
  socket[reading] = { isFull, goOn }
}
