import { appendFileSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { UsageError } from './values.ts'

/** Only their owner can read the files that the program creates. An existing file retains its mode. */
const mode = 0o600

/** Runs a task on a file. Throws a UsageError that names the file and the task if the system rejects it. */
function attempt<Result>(action: string, path: string, task: () => Result): Result {
  try {
    return task()
  } catch (error) {
    throw new UsageError(
      `cannot ${action} ${path}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Reads the text of a file, without its byte order mark. Throws a UsageError if it cannot be read. */
export function readText(what: string, path: string): string {
  return attempt(`read the ${what}`, path, () => readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
}

/** Writes a file, or with the flag `a` to its end. Throws a UsageError if it cannot be written. */
export function writeText(what: string, path: string, text: string, flag: 'w' | 'a' = 'w'): void {
  attempt(`write the ${what}`, path, () => writeFileSync(path, text, { mode, flag }))
}

/** Throws a UsageError if a file cannot be written. Leaves no file behind, and an existing one as it is. */
export function checkWritable(what: string, path: string): void {
  attempt(`write the ${what}`, path, () => {
    // Windows opens a folder, and fails when it is written to
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
    const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined
    appendFileSync(path, '', { mode })
    if (isNew) rmSync(path)
  })
}
