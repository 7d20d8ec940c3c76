import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'

/** The folder of the server's programs on Debian, by version. It is not in PATH. */
const debianFolder = '/usr/lib/postgresql'
/** The folder of daemons on Debian, which is not in the PATH of everybody. */
const daemons = '/usr/sbin'

/** Returns the folder of the programs of PostgreSQL, or undefined. */
export async function findPostgres(): Promise<string | undefined> {
  const versions = existsSync(debianFolder) ? await readdir(debianFolder) : []
  return folderOf(
    ['initdb', 'pg_ctl', 'pg_basebackup'],
    versions.map((version) => join(debianFolder, version, 'bin')),
  )
}

/** Returns the folder of PgBouncer, or undefined. */
export function findPgBouncer(): string | undefined {
  return folderOf(['pgbouncer'], [daemons])
}

function folderOf(programs: readonly string[], others: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...others]
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
}

/** The user to run PostgreSQL as. */
export interface User {
  readonly uid?: number
  readonly gid?: number
}

/** Returns the user to run PostgreSQL and PgBouncer as: not root. The package creates the user `postgres`. */
export async function unprivilegedUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {}
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * Creates a folder that this user owns. It is removed when the test file is done.
 *
 * @param end - Ends what uses the folder; called before.
 */
export async function folderFor({ uid, gid }: User, end: () => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pets-postgres-'))
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  after(async () => {
    await end()
    await rm(folder, { recursive: true })
  })
  return folder
}
