import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, describe } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from '../../contracts/testing/free-port.ts'
import { postgresUrl } from '../../contracts/testing/postgres.ts'
import { findProgramFolder, findUnprivilegedUser } from '../../contracts/testing/private-postgres.ts'
import {
  combineResources,
  connectResource,
  type Resource,
  requireOnCi,
  testWith,
} from '../../contracts/testing/resource.ts'
import { runId } from '../../contracts/testing/run-id.ts'
import { createTemporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { nodeWithSqlite } from '../../examples/testing/parts.ts'
import { type Animal, assertStored, readAllAnimals, unlimitedEnv } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer, mainFile } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'

const manual = readFileSync(new URL('../OPERATING.md', import.meta.url), 'utf8')

function findPrograms(...names: readonly string[]): Resource<readonly string[]> {
  const absent = names.find((name) => spawnSync(name, ['--version']).error)
  return absent === undefined ? { value: names } : { absent: `this machine has no ${absent}` }
}

/** Returns the code blocks below a heading in the manual's chapter on backups. */
function readCodeBlocks(heading: string): readonly string[] {
  const [, chapter = ''] = manual.split('\n## Backup and restore\n')
  const [, section = ''] = chapter.split(`\n${heading}\n`)
  const part = `${section.split(/^##/m, 1)}`
  return [...part.matchAll(/^```(?:sh|ini)\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
}

interface Procedure {
  /** Shell commands from the manual. */
  readonly backup: string
  readonly restore: string
  readonly flags: string
  readonly env: Readonly<Record<string, string>>
  readonly node?: string
  readonly user?: { readonly uid?: number; readonly gid?: number }
}

/**
 * Backs up a server while it creates animals, kills it, restores the backup, and compares the animals. No ID may be
 * assigned twice.
 */
async function assertRestores({ backup, restore, flags, env, node, user }: Procedure): Promise<void> {
  const cwd = createTemporaryFolder(user)
  const program = `${node ?? process.execPath} ${mainFile}`
  const run = (script: string) =>
    promisify(execFile)('sh', ['-euc', script.replace('npx pet-adoption-service', program)], {
      cwd,
      env: { ...process.env, ...env },
      ...user,
    })
  const start = () =>
    launchServer(`--port 0 --log silent ${flags}`, {
      cwd,
      env: { ...unlimitedEnv, ...env },
      ...(node !== undefined && { node }),
    })

  const { base, ...server } = await start()
  const creators = startLoad(base, { listClients: 0, createClients: 4 })
  await creators.waitForMore(50)
  const before = [...creators.acknowledged]
  await run(backup)
  await creators.waitForMore(50)
  await creators.end()
  const all = creators.acknowledged
  server.child.kill('SIGKILL') // after a kill, SQLite leaves its -wal file
  await server.end
  await run(restore)

  const restored = await start()
  const found = await readAllAnimals(restored.base)
  assertStored(found, before)
  assert.ok(found.length < all.length)
  const again = startLoad(restored.base, { listClients: 0, createClients: 1 })
  await again.waitForMore(1)
  await again.end()
  const highest = Math.max(...all.map(({ id }: Animal) => Number(id)))
  assert.ok(Number(again.acknowledged[0]?.id) > highest, 'an id was assigned twice')
  await stop(restored)
}

/** Creates an empty database for the test and drops it afterwards. */
async function createDatabase(): Promise<Resource<string>> {
  const tools = findPrograms('pg_dump', 'pg_restore', 'psql')
  if ('absent' in tools) return tools
  const name = `pets_restore_${runId}`
  const client = new pg.Client(postgresUrl)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  after(async () => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await client.end()
  })
  const url = new URL(postgresUrl)
  url.pathname = name
  const { status, stderr } = spawnSync('pg_dump', ['--schema-only', url.href])
  return status === 0 ? { value: url.href } : { absent: String(stderr) }
}

const database = await connectResource(createDatabase)

/** Starts a PostgreSQL server with the manual's settings for point-in-time recovery, and makes a base backup. */
async function createArchivingServer() {
  const bin = await findProgramFolder('initdb', 'pg_ctl', 'pg_basebackup', 'psql')
  if (bin === undefined) return { absent: 'this machine has no initdb' }
  const user = await findUnprivilegedUser()
  after(() => run('pg_ctl stop --mode=immediate')) // the server must stop before its folder is deleted
  const folder = createTemporaryFolder(user)
  const [settings = '', baseBackup = '', restore = ''] = readCodeBlocks('### Point-in-time recovery').map(
    (text) => text.replaceAll('/archive', `${folder}/archive`),
  )
  const port = String(await findFreePort())
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    PGDATA: `${folder}/data`,
    PGHOST: '127.0.0.1',
    PGPORT: port,
    PGUSER: 'postgres',
  }
  const run = (script: string, input = '') =>
    execFileSync('sh', ['-euc', script], {
      cwd: folder,
      env,
      ...user,
      input,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
  run('mkdir archive; initdb -A trust -E UTF8 -N')
  run(
    'cat >> data/postgresql.conf',
    `${settings}port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`,
  )
  run(`pg_ctl start --log=log; createdb pets; ${baseBackup}`)
  return {
    value: { env: { ...env, DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/pets` }, restore, user },
  }
}

const archivingServer = await createArchivingServer()

describe('the backup procedure in the manual', () => {
  testWith(requireOnCi(combineResources(findPrograms('sqlite3', 'install'), nodeWithSqlite)))(
    'restores a SQLite file',
    (_t, [, node]) => {
      const [backup = '', restore = ''] = readCodeBlocks('### SQLite')
      return assertRestores({ backup, restore, flags: '--data animals.sqlite', env: {}, node })
    },
  )

  testWith('value' in database ? database.value : database)('restores a PostgreSQL database', (_t, url) => {
    const [backup = '', restore = ''] = readCodeBlocks('### PostgreSQL dumps')
    return assertRestores({ backup, restore, flags: '--no-docs', env: { DATABASE_URL: url } })
  })

  testWith(requireOnCi(archivingServer))(
    'restores a PostgreSQL database at a point in time',
    (_t, { env, restore, user }) =>
      assertRestores({
        backup: 'psql pets -Atc "SELECT now()" > moment',
        restore: restore
          .replace(/(recovery_target_time = ')[^']*/, '$1$(cat moment)')
          .replace(/base-[\d-]+/, 'base-*')
          .replace('pg_ctl start', 'pg_ctl start --log=log'),
        flags: '--no-docs',
        env,
        user,
      }),
  )
})
