import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** 0 where the system has no such flag (Windows): opening then waits for nothing anyway. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

/**
 * Reads a file of at most `maxBytes` as UTF-8. Throws an `Error` that says what the file is instead: larger, a directory,
 * a pipe or a device, of which none is waited for; or the error of the system.
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
