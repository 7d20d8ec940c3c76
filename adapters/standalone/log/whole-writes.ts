import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

const emptyBuffer = Buffer.alloc(0)
const lineFeed = 10

/**
 * Makes a stream write all bytes or fail, if it is a file. Node treats a partial write, as on a full disk, as complete.
 * If a line was cut, the next write completes it first.
 */
export function writeWholeChunks(stream: Writable, fd: number): void {
  if (!isFile(fd)) return
  let cut: Buffer = emptyBuffer
  stream._write = (chunk: Buffer, _encoding, done) => {
    const bytes = cut.length > 0 ? Buffer.concat([cut, chunk]) : chunk
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written)
      cut = emptyBuffer
      done()
    } catch (cause) {
      const isCut = written > 0 ? bytes[written - 1] !== lineFeed : cut.length > 0
      cut = isCut ? bytes.subarray(written, bytes.indexOf(lineFeed, written) + 1) : emptyBuffer
      done(cause as Error) // system errors are Error objects
    }
  }
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false // on Windows, fstat can reject a pipe with EINVAL
  }
}
