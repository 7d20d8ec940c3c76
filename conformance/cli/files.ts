import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from './usage-error.ts'

/** Only their owner may read the files that the program makes; one that is there keeps its mode. */
const mode = 0o600

/** Does something to a file; a rejection by the system becomes a UsageError that names file and purpose. */
function attempt<Result>(action: string, path: string, task: () => Result): Result {
  try {
    return task()
  } catch (error) {
    throw new UsageError(
      `cannot ${action} ${path}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The text of a file, without a byte order mark. Throws UsageError where it cannot be read. */
export function readText(what: string, path: string): string {
  return attempt(`read the ${what}`, path, () => readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
}

/** Writes a file anew. Throws UsageError where it cannot be written. */
export function writeText(what: string, path: string, text: string): void {
  attempt(`write the ${what}`, path, () => writeFileSync(path, text, { mode }))
}

/** Adds to a file. Throws UsageError where it cannot be written. */
export function appendText(what: string, path: string, text: string): void {
  attempt(`write the ${what}`, path, () => appendFileSync(path, text, { mode }))
}
