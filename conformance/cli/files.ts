import { appendFileSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { UsageError } from './values.ts'

/** New files are readable by their owner only. An existing file keeps its mode. */
const fileMode = 0o600

/** Turns errors of a file operation into usage errors. */
function attemptFileAccess<Result>(action: string, path: string, task: () => Result): Result {
  try {
    return task()
  } catch (error) {
    throw new UsageError(
      `cannot ${action} ${path}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Reads a file, without its byte order mark. Throws a `UsageError` if the file cannot be read. */
export function readText(what: string, path: string): string {
  return attemptFileAccess(`read the ${what}`, path, () => readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
}

/** Writes a file, or appends to it with the flag `a`. Throws a `UsageError` if it cannot be written. */
export function writeText(what: string, path: string, text: string, flag: 'w' | 'a' = 'w'): void {
  attemptFileAccess(`write the ${what}`, path, () => writeFileSync(path, text, { mode: fileMode, flag }))
}

/** Throws a `UsageError` if a file cannot be written. Leaves the file as it is. */
export function checkWritable(what: string, path: string): void {
  attemptFileAccess(`write the ${what}`, path, () => {
    // Windows opens a folder without an error, and only fails when it is written to.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a directory')
    const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined
    appendFileSync(path, '', { mode: fileMode })
    if (isNew) rmSync(path)
  })
}
