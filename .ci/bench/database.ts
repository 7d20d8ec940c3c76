import pg from 'pg'

/** A database of the benchmark's own. */
export interface Database {
  /** Its URL. */
  readonly place: string
  drop(): Promise<void>
}

/** The database that creates others: `DATABASE_URL`, or the local server. */
const admin = process.env.DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres'

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Returns why this machine has no such storage, or undefined if it has. */
export async function lackOf(storage: string): Promise<string | undefined> {
  if (storage === 'sqlite' && process.versions.sqlite === undefined) return 'it needs Node 22.13 or later'
  if (storage !== 'postgres') return undefined
  return run('SELECT 1').then(
    () => undefined,
    (cause) => (cause instanceof Error ? cause.message : String(cause)),
  )
}

/** Creates a database. */
export async function createDatabase(): Promise<Database> {
  const name = `pet_adoption_bench_${process.pid}_${Date.now()}`
  await run(`CREATE DATABASE ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { place: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}
