import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, describe } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../contracts/testing/free-port.ts'
import { allOf, type Part, required, service, testWith } from '../../contracts/testing/part.ts'
import { postgresUrl } from '../../contracts/testing/postgres.ts'
import { findFolder, unprivilegedUser } from '../../contracts/testing/private-postgres.ts'
import { runId } from '../../contracts/testing/run-id.ts'
import { temporaryFolder } from '../../contracts/testing/temporary-folder.ts'
import { nodeWithSqlite } from '../../examples/testing/parts.ts'
import { type Animal, assertStored, readAll, unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { launchServer, main } from '../testing/launch.ts'
import { startLoad } from '../testing/load.ts'

const manual = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

function programs(...names: readonly string[]): Part<readonly string[]> {
  const absent = names.find((name) => spawnSync(name, ['--version']).error)
  return absent === undefined ? { value: names } : { absent: `this machine has no ${absent}` }
}

/** Returns the blocks below a heading of the manual on backups. */
function blocks(heading: string): readonly string[] {
  const [, chapter = ''] = manual.split('\n## Backup and restore\n')
  const [, section = ''] = chapter.split(`\n${heading}\n`)
  const part = `${section.split(/^##/m, 1)}`
  return [...part.matchAll(/^```(?:sh|ini)\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
}

interface Procedure {
  /** Scripts that back up while the server adds animals, and that restore when it has ended. */
  readonly backup: string
  readonly restore: string
  readonly flags: string
  readonly env: Readonly<Record<string, string>>
  readonly node?: string
  readonly user?: { readonly uid?: number; readonly gid?: number }
}

/** Backs up a server that adds animals, ends it, restores the backup, and compares the animals. */
async function assertRestores({ backup, restore, flags, env, node, user }: Procedure): Promise<void> {
  const cwd = temporaryFolder(user)
  const program = `${node ?? process.execPath} ${main}`
  const run = (script: string) =>
    promisify(execFile)('sh', ['-euc', script.replace('npx pet-adoption-service', program)], {
      cwd,
      env: { ...process.env, ...env },
      ...user,
    })
  const start = () =>
    launchServer(`--port 0 --log silent ${flags}`, {
      cwd,
      env: { ...unlimited, ...env },
      ...(node !== undefined && { node }),
    })

  const { base, ...server } = await start()
  const creators = startLoad(base, { lists: 0, creates: 4 })
  await creators.more(50)
  const before = [...creators.acknowledged]
  await run(backup)
  await creators.more(50)
  await creators.end()
  const all = creators.acknowledged
  server.child.kill('SIGKILL') // so that SQLite leaves its -wal file
  await server.end
  await run(restore)

  const restored = await start()
  const found = await readAll(restored.base)
  assertStored(found, before)
  assert.ok(found.length < all.length)
  const again = startLoad(restored.base, { lists: 0, creates: 1 })
  await again.more(1)
  await again.end()
  const highest = Math.max(...all.map(({ id }: Animal) => Number(id)))
  assert.ok(Number(again.acknowledged[0]?.id) > highest, 'an id is assigned again')
  await stop(restored)
}

/** The address of an empty database, if the programs of this machine know its version. */
async function newDatabase(): Promise<Part<string>> {
  const tools = programs('pg_dump', 'pg_restore', 'psql')
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

const database = await service(newDatabase)

/** Starts a PostgreSQL with the settings of the manual and a base backup. */
async function createArchiving() {
  const bin = await findFolder('initdb', 'pg_ctl', 'pg_basebackup', 'psql')
  if (bin === undefined) return { absent: 'this machine has no initdb' }
  const user = await unprivilegedUser()
  after(() => run('pg_ctl stop --mode=immediate')) // before its folder is removed
  const folder = temporaryFolder(user)
  const [settings = '', baseBackup = '', restore = ''] = blocks('#### Point-in-time recovery').map((text) =>
    text.replaceAll('/archive', `${folder}/archive`),
  )
  const port = String(await freePort())
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

const archiving = await createArchiving()

describe('the manual restores, and no id is assigned again:', () => {
  testWith(required(allOf(programs('sqlite3', 'install'), nodeWithSqlite)))(
    'a SQLite file',
    (_t, [, node]) => {
      const [backup = '', restore = ''] = blocks('### SQLite')
      return assertRestores({ backup, restore, flags: '--data animals.sqlite', env: {}, node })
    },
  )

  testWith('value' in database ? database.value : database)('a PostgreSQL database', (_t, url) => {
    const [backup = '', restore = ''] = blocks('### PostgreSQL')
    return assertRestores({ backup, restore, flags: '--no-docs', env: { DATABASE_URL: url } })
  })

  testWith(required(archiving))('a moment after a base backup of PostgreSQL', (_t, { env, restore, user }) =>
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
