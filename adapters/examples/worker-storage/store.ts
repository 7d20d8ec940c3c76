import { type Pet, type PetStore, StoreUnavailable } from 'pet-adoption-service'

type Row = Pick<Pet, 'name' | 'status'> & { id: string; categoryId: string } // D1 has int64 as text: a number would be rounded
const columns = 'CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS categoryId, status'
const create = `INSERT INTO pets (name, category_id, status) VALUES (?, CAST(? AS INTEGER), ?) RETURNING ${columns}`
const get = `SELECT ${columns} FROM pets WHERE id = CAST(? AS INTEGER)`
const list = `SELECT ${columns} FROM pets WHERE id > CAST(?1 AS INTEGER) AND status = IFNULL(?2, status)
  ORDER BY pets.id LIMIT ?3`

/** Creates a store in D1, in the table of `schema.sql`. */
export function createD1Store(database: D1Database): PetStore {
  async function query(sql: string, ...values: readonly unknown[]): Promise<Pet[]> {
    const statement = database.prepare(sql).bind(...values)
    const { results } = await statement.all<Row>().catch((cause: unknown) => {
      throw new StoreUnavailable('D1 does not respond', { cause }) // a 503, not a 500
    })
    return results.map((row) => ({ ...row, id: BigInt(row.id), categoryId: BigInt(row.categoryId) }))
  }
  return {
    create: async (pet) => (await query(create, pet.name, `${pet.categoryId}`, pet.status))[0] as Pet,
    get: async (id) => (await query(get, `${id}`))[0],
    list: ({ limit, status = null, after = 0n }) => query(list, `${after}`, status, limit),
  }
}
