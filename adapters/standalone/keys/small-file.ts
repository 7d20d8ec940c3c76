import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** 0 where the system has no such flag (Windows), on which opening never waits. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

/**
 * Reads a file of at most `maxBytes` as UTF-8, and never waits for a writer. Throws an `Error` where the file is larger,
 * a directory, a pipe or a device, or the error of the system.
 */
export function readSmallFile(path: string, maxBytes: number): string {
  const file = openSync(path, constants.O_RDONLY | withoutWaiting)
  try {
    const status = fstatSync(file)
    if (status.isDirectory()) throw new Error('it is a directory')
    if (!status.isFile()) throw new Error('it is a pipe or a device, not a file')
    if (status.size > maxBytes) throw new Error(`it is larger than ${maxBytes / 2 ** 20} MiB`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
