// The animals of the Fastify and Hono servers, written as an experienced user of these frameworks would.
import { makePets, type NewPet, type Pet, type Status, statuses } from '../world.ts'
import type { Page, PageQuery } from './peer.ts'

export type Maybe<T> = T | Promise<T>

export interface PeerStore {
  list(query: PageQuery): Maybe<Page>
  get(id: number): Maybe<Pet | undefined>
  create(pet: NewPet): Maybe<Pet>
}

function createPage(found: readonly Pet[], limit: number): Page {
  return { page: found.length > limit ? found.slice(0, limit) : found, hasMore: found.length > limit }
}

export function createMemoryStore() {
  const pets = makePets()
  const byStatus = new Map<Status, Pet[]>(
    statuses.map((status) => [status, pets.filter((pet) => pet.status === status)]),
  )
  return {
    list({ limit, status, after = 0 }) {
      const matching = status ? (byStatus.get(status) ?? []) : pets
      const found = after === 0 ? 0 : matching.findIndex(({ id }) => id > after)
      const start = found < 0 ? matching.length : found
      return { page: matching.slice(start, start + limit), hasMore: matching.length > start + limit }
    },
    get: (id) => pets[id - 1],
    create({ name, categoryId, status }) {
      const pet = { id: pets.length + 1, name, categoryId, status }
      pets.push(pet)
      byStatus.get(status)?.push(pet)
      return pet
    },
  } satisfies PeerStore
}

const columns = 'id, name, category_id AS "categoryId", status'
const table = 'name text NOT NULL, category_id bigint NOT NULL, status text NOT NULL'

/** As durable as the standalone server: each animal is on disk before the response. */
async function openSqliteStore(file: string): Promise<PeerStore> {
  const { DatabaseSync } = await import('node:sqlite') // Node 20 has no node:sqlite
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE pets (id integer PRIMARY KEY, ${table}); CREATE INDEX pets_status ON pets (status, id)`)
  const page = (filter: string) =>
    database.prepare(`SELECT ${columns} FROM pets WHERE ${filter} id > ? ORDER BY id LIMIT ?`)
  const [all, byStatus] = [page(''), page('status = ? AND')]
  const one = database.prepare(`SELECT ${columns} FROM pets WHERE id = ?`)
  const insert = database.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)')
  const create = ({ name, categoryId, status }: NewPet): Pet => {
    const { lastInsertRowid } = insert.run(name, categoryId, status)
    return { id: Number(lastInsertRowid), name, categoryId, status }
  }
  database.exec('BEGIN')
  for (const pet of makePets()) create(pet)
  database.exec('COMMIT')
  return {
    list({ limit, status, after = 0 }) {
      const rows = status ? byStatus.all(status, after, limit + 1) : all.all(after, limit + 1)
      return createPage(rows as unknown as Pet[], limit) // node:sqlite cannot type rows
    },
    get: (id) => one.get(id) as unknown as Pet | undefined, // node:sqlite cannot type rows
    create,
  }
}

async function openPostgresStore(url: string): Promise<PeerStore> {
  const { default: pg } = await import('pg')
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pool.on('error', () => {})
  await pool.query(`CREATE TABLE pets (id bigserial PRIMARY KEY, ${table})`)
  await pool.query('CREATE INDEX ON pets (status, id)')
  const insert = 'INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING id'
  const create = async ({ name, categoryId, status }: NewPet): Promise<Pet> => {
    const { rows } = await pool.query({ name: 'create', text: insert, values: [name, categoryId, status] })
    return { id: rows[0].id, name, categoryId, status }
  }
  for (const pet of makePets()) await create(pet)
  await pool.query('ANALYZE pets')
  const page = (filter: string) => `SELECT ${columns} FROM pets WHERE ${filter} id > $1 ORDER BY id LIMIT $2`
  return {
    async list({ limit, status, after = 0 }) {
      const { rows } = status
        ? await pool.query({
            name: 'by-status',
            text: page('status = $3 AND'),
            values: [after, limit + 1, status],
          })
        : await pool.query({ name: 'all', text: page(''), values: [after, limit + 1] })
      return createPage(rows, limit)
    },
    async get(id) {
      const text = `SELECT ${columns} FROM pets WHERE id = $1`
      const { rows } = await pool.query({ name: 'one', text, values: [id] })
      return rows[0]
    },
    create,
  }
}

/** Opens the store that the program's argument names: a PostgreSQL URL or a SQLite file, by default memory. */
export async function openStore(): Promise<PeerStore> {
  const [storage] = process.argv.slice(2)
  if (storage === undefined) return createMemoryStore()
  return storage.startsWith('postgres:') ? openPostgresStore(storage) : openSqliteStore(storage)
}
