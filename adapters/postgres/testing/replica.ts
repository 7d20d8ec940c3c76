import pg from 'pg'
import { createPostgresStore, migrate } from '../../postgres.ts'

/** A process that sets up the table, creates so many animals at once, and writes their ids to stdout as JSON. */
const [url, table = '', count = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 2 })
await migrate(pool, { table })
const store = createPostgresStore({ client: pool, table })
const created = await Promise.all(
  Array.from({ length: Number(count) }, (_, i) =>
    store.create({ name: `${process.pid} ${i}`, categoryId: 1n }),
  ),
)
process.stdout.write(JSON.stringify(created.map(({ id, name }) => [String(id), name])))
await pool.end()
