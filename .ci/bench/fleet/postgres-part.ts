import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../../adapters/contracts/testing/free-port.ts'
import { startChild } from './child.ts'
import { cpuSecondsOf } from './cpu-time.ts'
import type { Endings } from './endings.ts'

/** A PostgreSQL of this run. */
export interface PostgresPart {
  readonly url: string
  /** Returns the CPU time of all its processes. */
  cpuSeconds(): number
  /** Returns how many statements the servers have run, and how many bytes of write-ahead log these made. */
  statements(): Promise<{ readonly calls: number; readonly walBytes: number }>
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
}

/**
 * All data fits into memory. No checkpoint and no autovacuum falls into one measurement and not into another. Commits are
 * on disk before they count, as by default.
 */
const settings = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_utility=off',
  'listen_addresses=127.0.0.1',
  'shared_buffers=1GB',
  'max_wal_size=8GB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
]

/** The folder of the server's programs on Debian, by version. It is not in PATH. */
const debianFolder = '/usr/lib/postgresql'

const database = 'pets'

/** Starts a new PostgreSQL with its default settings, apart from those above. */
export async function startPostgres(endings: Endings): Promise<PostgresPart> {
  const programs = findPrograms()
  const user = unprivilegedUser()
  const folder = mkdtempSync(join(tmpdir(), 'pets-fleet-postgres-'))
  endings.add(() => rmSync(folder, { recursive: true, force: true }))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const initialize = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N']
  execFileSync(join(programs, 'initdb'), initialize, {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const port = await freePort()
  const flags = [...settings, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting])
  const command = [join(programs, 'postgres'), '-D', folder, '-p', `${port}`, ...flags]
  const ready = /ready to accept connections/
  const { pid } = await startChild(command, { ...user, ready, signal: 'SIGQUIT' }, endings)

  const address = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`
  const maintenance = await connect(address('postgres'), endings)
  await maintenance.query(`CREATE DATABASE ${database}`)
  await maintenance.query('CREATE EXTENSION pg_stat_statements')
  const client = await connect(address(database), endings)
  await client.query(`SET application_name = 'fleet'`)
  return {
    url: address(database),
    cpuSeconds: () => cpuSecondsOf(pid),
    async statements() {
      // The statements of `query` run between measurements, and so are in both of two readings.
      const { rows } = await maintenance.query(
        `SELECT coalesce(sum(calls), 0)::float8 AS calls, coalesce(sum(wal_bytes), 0)::float8 AS "walBytes"
        FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = '${database}')`,
      )
      return rows[0]
    },
    query: async (text, values = []) => (await client.query(text, [...values])).rows,
  }
}

async function connect(url: string, endings: Endings): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {}) // the server may end before the client
  await client.connect()
  endings.add(() => client.end().catch(() => {}))
  return client
}

function findPrograms(): string {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debianFolder, version, 'bin')),
  ]
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')))
  if (found === undefined) throw new Error('there is no initdb: install the PostgreSQL server')
  return found
}

/** The user to run PostgreSQL as. It does not run as root; its package creates the user `postgres`. */
function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
