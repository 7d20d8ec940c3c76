import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import type { Part } from './part.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A PostgreSQL that one test file starts for itself, and may crash. */
export interface PrivatePostgres {
  readonly port: number
  readonly url: string
  start(): Promise<void>
  /** Ends it immediately. Data that is not on disk is lost. */
  crash(): Promise<void>
  /** Sends a signal to all of its processes: SIGKILL ends it, SIGSTOP lets it stand still until SIGCONT. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  /** Sets a parameter of the server. */
  set(name: string, value: string): Promise<void>
  /** Ends its state as a standby. */
  promote(): Promise<void>
}

const run = promisify(execFile)

/** Starts one, if this machine has the programs. It is ended and its folder removed when the test file is done. */
export function createPrivatePostgres(...settings: string[]): Promise<Part<PrivatePostgres>> {
  const args = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N']
  return startOn('initdb', args, settings)
}

/** Starts a standby that another server streams its changes to. */
export function createPrivateStandby({ port }: PrivatePostgres): Promise<Part<PrivatePostgres>> {
  const primary = `host=127.0.0.1 port=${port} user=postgres application_name=standby`
  return startOn('pg_basebackup', ['-d', primary, '-R', '-X', 'stream', '-c', 'fast'])
}

/** Starts a server on the folder of data that a program creates. */
async function startOn(
  program: 'initdb' | 'pg_basebackup',
  args: readonly string[],
  settings: readonly string[] = [],
): Promise<Part<PrivatePostgres>> {
  const programs = await findFolder('initdb', 'pg_ctl', 'pg_basebackup')
  if (programs === undefined) return { absent: 'this machine has no initdb' }
  after(async () => {
    await signal('SIGCONT').catch(() => {}) // it may be down
    await crash().catch(() => {})
  })
  const user = await unprivilegedUser()
  const folder = temporaryFolder(user)
  const port = await freePort()
  const control = (...args: string[]) => run(join(programs, 'pg_ctl'), ['-D', folder, ...args], user)
  const options = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings]
  const flags = options.map((option) => `-c '${option}'`).join(' ')

  const log = join(folder, 'log')
  const start = async () => void (await control('start', '-w', '-l', log, '-o', `-p ${port} ${flags}`))
  const crash = async () => void (await control('stop', '-m', 'immediate'))
  const promote = async () => void (await control('promote', '-w'))

  async function signal(name: NodeJS.Signals): Promise<void> {
    const [id = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(id), 'SIGSTOP') // so that it starts no other process meanwhile
    // POSIX: only Linux has --ppid. By its path, since PATH may have only node and npm.
    const { stdout } = await run('/bin/ps', ['-A', '-o', 'ppid=', '-o', 'pid=']).catch((cause) => {
      process.kill(Number(id), 'SIGCONT')
      throw cause
    })
    const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/))
    const children = pairs.flatMap(([parent, child]) => (parent === id && child ? [child] : []))
    for (const each of [...children, id]) process.kill(Number(each), name)
  }

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`

  async function set(name: string, value: string): Promise<void> {
    const client = new pg.Client(url)
    await client.connect()
    await client.query('SET default_transaction_read_only = off')
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
    await client.query('SELECT pg_reload_conf()')
    await client.end()
  }

  await run(join(programs, program), ['-D', folder, ...args], user)
  await start()
  return { value: { port, url, start, crash, signal, set, promote } }
}

/** The folder of the programs of PostgreSQL on Debian, by version. They are not in PATH. */
const debianFolder = '/usr/lib/postgresql'

/** Returns the folder of programs of PostgreSQL, or of PgBouncer; undefined if this machine does not have them. */
export async function findFolder(...programs: readonly string[]): Promise<string | undefined> {
  const versions = existsSync(debianFolder) ? await readdir(debianFolder) : []
  const ofDebian = versions.map((version) => join(debianFolder, version, 'bin'))
  // The PATH of some does not have the folder of daemons.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', ...ofDebian]
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
}

/** Returns the user to run PostgreSQL and PgBouncer as: not root. The package creates the user `postgres`. */
export async function unprivilegedUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
