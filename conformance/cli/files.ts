import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { UsageError } from './values.ts'

/** Only their owner can read the files that the program creates. An existing file retains its mode. */
const mode = 0o600

/** Errors of a folder in which no file can be made or replaced, although the file itself may be writable. */
const folderErrors: readonly unknown[] = ['EACCES', 'EBUSY', 'EPERM', 'EROFS', 'EXDEV']

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

/** Writes a file as a whole: it has its old content or the new one. Throws a UsageError if it cannot be written. */
export function writeText(what: string, path: string, text: string): void {
  attempt(`write the ${what}`, path, () => {
    const found = statSync(path, { throwIfNoEntry: false })
    // a pipe or a device is written to; of a folder, the system says that it is one
    if (found !== undefined && !found.isFile()) writeFileSync(path, text)
    else replace(found === undefined ? path : realpathSync(path), found, text)
  })
}

function replace(path: string, found: Stats | undefined, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' })
    if (found !== undefined) chmodSync(temporary, found.mode & 0o777)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { code } = error as NodeJS.ErrnoException // the file system throws these
    if (found === undefined || !folderErrors.includes(code)) throw error
    writeFileSync(path, text)
  }
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

/** Appends to a file. Throws a UsageError if it cannot be written. */
export function appendText(what: string, path: string, text: string): void {
  attempt(`write the ${what}`, path, () => appendFileSync(path, text, { mode }))
}
