import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from './free-port.ts'
import type { Resource } from './resource.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** A PostgreSQL server for one test file, which may crash it. */
export interface PrivatePostgres {
  readonly port: number
  readonly url: string
  start(): Promise<void>
  /** Stops the server immediately. Data that is not on disk is lost. */
  crash(): Promise<void>
  /** Sends a signal to all server processes: `SIGKILL` kills them, and `SIGSTOP` suspends them until `SIGCONT`. */
  sendSignal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  /** Changes a configuration parameter on the running server. */
  setConfig(name: string, value: string): Promise<void>
  /** Promotes a standby to a primary. */
  promote(): Promise<void>
}

const runFile = promisify(execFile)

/** Starts a PostgreSQL server with these settings, and stops it after the tests. */
export function createPrivatePostgres(...settings: string[]): Promise<Resource<PrivatePostgres>> {
  const args = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N']
  return startPrivateServer('initdb', args, settings)
}

/** Starts a standby that replicates a primary, and stops it after the tests. */
export function createPrivateStandby({ port }: PrivatePostgres): Promise<Resource<PrivatePostgres>> {
  const primaryConnection = `host=127.0.0.1 port=${port} user=postgres application_name=standby`
  return startPrivateServer('pg_basebackup', ['-d', primaryConnection, '-R', '-X', 'stream', '-c', 'fast'])
}

/** Creates a data folder with `initdb` or `pg_basebackup`, and starts a server. */
async function startPrivateServer(
  program: 'initdb' | 'pg_basebackup',
  args: readonly string[],
  settings: readonly string[] = [],
): Promise<Resource<PrivatePostgres>> {
  const programs = await findProgramFolder('initdb', 'pg_ctl', 'pg_basebackup')
  if (programs === undefined) return { absent: 'initdb is not installed' }
  after(async () => {
    await sendSignal('SIGCONT').catch(() => {}) // the server may have exited
    await crash().catch(() => {})
  })
  const user = await findUnprivilegedUser()
  const folder = createTemporaryFolder(user)
  const port = await findFreePort()
  const runControl = (...args: string[]) => runFile(join(programs, 'pg_ctl'), ['-D', folder, ...args], user)
  const options = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings]
  const flags = options.map((option) => `-c '${option}'`).join(' ')

  const log = join(folder, 'log')
  const startServer = async () =>
    void (await runControl('start', '-w', '-l', log, '-o', `-p ${port} ${flags}`))
  const crash = async () => void (await runControl('stop', '-m', 'immediate'))
  const promote = async () => void (await runControl('promote', '-w'))

  async function sendSignal(name: NodeJS.Signals): Promise<void> {
    const [id = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(id), 'SIGSTOP') // a suspended server starts no further processes
    // `ps --ppid` exists on Linux only. PATH may contain only node and npm.
    const { stdout } = await runFile('/bin/ps', ['-A', '-o', 'ppid=', '-o', 'pid=']).catch((cause) => {
      process.kill(Number(id), 'SIGCONT')
      throw cause
    })
    const processColumns = stdout.split('\n').map((line) => line.trim().split(/\s+/))
    const children = processColumns.flatMap(([parent, child]) => (parent === id && child ? [child] : []))
    for (const processId of [...children, id]) process.kill(Number(processId), name)
  }

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`

  async function setConfig(name: string, value: string): Promise<void> {
    const client = new pg.Client(url)
    await client.connect()
    await client.query('SET default_transaction_read_only = off')
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
    await client.query('SELECT pg_reload_conf()')
    await client.end()
  }

  await runFile(join(programs, program), ['-D', folder, ...args], user)
  await startServer()
  return { value: { port, url, start: startServer, crash, sendSignal, setConfig, promote } }
}

/** Where Debian installs PostgreSQL, in a folder per version. PATH does not contain these folders. */
const debianFolder = '/usr/lib/postgresql'

/** Returns the folder that contains all these programs, or `undefined` if there is none. */
export async function findProgramFolder(...programs: readonly string[]): Promise<string | undefined> {
  const versions = existsSync(debianFolder) ? await readdir(debianFolder) : []
  const debianFolders = versions.map((version) => join(debianFolder, version, 'bin'))
  // PATH does not always contain /usr/sbin.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', ...debianFolders]
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
}

/**
 * Returns the user `postgres`, which the package creates, because PostgreSQL and PgBouncer refuse to run as root.
 * Returns an empty object if this process does not run as root.
 */
export async function findUnprivilegedUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
