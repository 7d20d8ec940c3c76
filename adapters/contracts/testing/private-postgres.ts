import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import type { Part } from './part.ts'
import { findPostgres, folderFor, unprivilegedUser } from './postgres-programs.ts'

/** A PostgreSQL that one test file starts for itself, and may crash. */
export interface PrivatePostgres {
  readonly port: number
  readonly url: string
  start(): Promise<void>
  /** Ends it at once. What is not on disk is lost. */
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
  return startIn(settings, (folder) => ({
    program: 'initdb',
    args: ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'],
  }))
}

/** Starts a standby of another one, to which changes are streamed. */
export function createPrivateStandby(
  { port }: PrivatePostgres,
  ...settings: string[]
): Promise<Part<PrivatePostgres>> {
  const primary = `host=127.0.0.1 port=${port} user=postgres application_name=standby`
  return startIn(settings, (folder) => ({
    program: 'pg_basebackup',
    args: ['-D', folder, '-d', primary, '-R', '-X', 'stream', '-c', 'fast'],
  }))
}

/** Creates a folder of data with a program, and starts the server on it. */
async function startIn(
  settings: readonly string[],
  creation: (folder: string) => { program: string; args: readonly string[] },
): Promise<Part<PrivatePostgres>> {
  const programs = await findPostgres()
  if (programs === undefined) return { absent: 'this machine has no initdb' }
  const user = await unprivilegedUser()
  const folder = await folderFor(user, async () => {
    await signal('SIGCONT').catch(() => {}) // it may be down
    await crash().catch(() => {})
  })
  const port = await freePort()
  const control = (...args: string[]) => run(join(programs, 'pg_ctl'), ['-D', folder, ...args], user)
  const options = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings]
  const flags = options.map((option) => `-c '${option}'`).join(' ')

  async function start(): Promise<void> {
    await control('start', '-w', '-l', join(folder, 'log'), '-o', `-p ${port} ${flags}`)
  }

  async function crash(): Promise<void> {
    await control('stop', '-m', 'immediate')
  }

  async function signal(name: NodeJS.Signals): Promise<void> {
    const [id = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(id), 'SIGSTOP') // so that it starts no other process meanwhile
    // POSIX: Linux alone has --ppid. By its path, since PATH may hold node and npm alone.
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

  const { program, args } = creation(folder)
  await run(join(programs, program), [...args], user)
  await start()
  return {
    value: {
      port,
      url,
      start,
      crash,
      signal,
      set,
      async promote() {
        await control('promote', '-w')
      },
    },
  }
}
