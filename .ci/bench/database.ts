import pg from 'pg'

/** A database of the benchmark's own. */
export interface Database {
  readonly url: string
  drop(): Promise<void>
}

/** The database that creates others: `DATABASE_URL`, or the local server. */
const admin = process.env.DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres'

/** Creates a database. Resolves with the reason where there is no PostgreSQL. */
export async function createDatabase(): Promise<Database | { readonly reason: string }> {
  const name = `pet_adoption_bench_${process.pid}_${Date.now()}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: admin, connectionTimeoutMillis: 3_000 })
    try {
      await client.connect()
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  try {
    await run(`CREATE DATABASE ${name}`)
  } catch (cause) {
    return { reason: `no PostgreSQL: ${cause instanceof Error ? cause.message : cause}` }
  }
  const url = new URL(admin)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}
