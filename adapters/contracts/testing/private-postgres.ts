import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import type { Part } from './part.ts'

/** A PostgreSQL that one test file starts for itself, and may crash. */
export interface PrivatePostgres {
  readonly url: string
  start(): Promise<void>
  /** Ends it at once. What is not on disk is lost. */
  crash(): Promise<void>
}

const run = promisify(execFile)

/** The folder of the server's programs on Debian, by version. It is not in PATH. */
const debianFolder = '/usr/lib/postgresql'

/** Starts one, if this machine has the programs. It is ended and its folder removed when the test file is done. */
export async function createPrivatePostgres(): Promise<Part<PrivatePostgres>> {
  const programs = await findPrograms()
  if (programs === undefined) return { absent: 'this machine has no initdb' }
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'pets-postgres-'))
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const control = (...args: string[]) => run(join(programs, 'pg_ctl'), ['-D', folder, ...args], user)
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`

  async function start(): Promise<void> {
    await control('start', '-w', '-l', join(folder, 'log'), '-o', settings)
  }

  async function crash(): Promise<void> {
    await control('stop', '-m', 'immediate')
  }

  after(async () => {
    await crash().catch(() => {}) // it may be down
    await rm(folder, { recursive: true })
  })
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  await run(
    join(programs, 'initdb'),
    ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'],
    user,
  )
  await start()
  return { value: { url, start, crash } }
}

async function findPrograms(): Promise<string | undefined> {
  const versions = existsSync(debianFolder) ? await readdir(debianFolder) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debianFolder, version, 'bin')),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}

/** The user to run PostgreSQL as. It does not run as root; its package creates the user `postgres`. */
async function unprivilegedUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (which) => Number((await run('id', [which, 'postgres'])).stdout)),
  )
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
}
