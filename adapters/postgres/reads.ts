import type { Pet, PetQuery, PetStore } from '../../core/index.ts'
import { type PetRow, type Promised, parsePetRow } from '../sql/store.ts'
import type { Query } from './client.ts'
import { createGroups } from './groups.ts'
import type { Table } from './table.ts'

/**
 * The columns of a `PetRow` in a table that is named `pet`. The name is JSON, since PGlite removes a byte order mark at
 * the beginning of a value.
 */
export const petColumns =
  'pet.id::text AS id, to_json(name)::text AS name, category_id::text AS "categoryId", status'

/** Returns the animal of a row with `petColumns`. */
export function parsePetColumns(row: PetRow): Pet {
  return parsePetRow({ ...row, name: JSON.parse(row.name) })
}

/** A page as a row. */
interface PageRow {
  readonly json: string
  /** The length of the JSON in the encoding of the database, which is UTF-8. */
  readonly bytes: string
  readonly next: string | null
}

/** The JSON of an animal, as `petToJson` writes it. */
const petJson = `'{"id":' || pet.id || ',"name":' || to_json(name) || ',"categoryId":' || category_id
  || coalesce(',"status":"' || status || '"', '') || '}'`

const int64Max = 2n ** 63n - 1n

/** Creates the methods that read. In one turn of the event loop, equal pages share a statement, as do calls of `get`. */
export function createReads({ name }: Table, query: Query): Promised<PetStore, 'get' | 'list' | 'page'> {
  const byIds = `SELECT ${petColumns} FROM ${name} AS pet WHERE pet.id = ANY (string_to_array($1, ',')::bigint[])`
  const from = {
    any: `FROM ${name} AS pet WHERE pet.id > $1::text::bigint ORDER BY pet.id`,
    // Compares pairs, so that PostgreSQL uses the index on both columns. With one condition per column, the planner may
    // read the table by ascending id instead, and skip any number of animals with other statuses.
    byStatus: `FROM ${name} AS pet WHERE (status, pet.id) > ($3, $1::text::bigint)
      AND (status, pet.id) <= ($3, ${int64Max}) ORDER BY status, pet.id`,
  }

  /** Runs the statement that `toStatement` creates from the clauses after its columns. */
  function select<Row>(
    toStatement: (from: string) => string,
    { limit, status, after = 0n }: PetQuery,
  ): Promise<readonly Row[]> {
    const values = [String(after), limit]
    return status
      ? query<Row>(toStatement(from.byStatus), [...values, status])
      : query<Row>(toStatement(from.any), values)
  }

  const getTogether = createGroups(async (_name, ids: readonly bigint[]) => {
    const rows = await query<PetRow>(byIds, [[...new Set(ids)].join()])
    const found = new Map(rows.map((row) => [row.id, parsePetColumns(row)]))
    return ids.map((id) => found.get(String(id)))
  })

  const pageTogether = createGroups(async (_name, queries: readonly PetQuery[]) => {
    const [first] = queries as readonly [PetQuery] // the others of its name are equal
    const [row] = await select<PageRow>(createPageQuery, first)
    if (!row) throw new Error('PostgreSQL returned no page')
    const { json, bytes, next } = row
    const page = { json, bytes: Number(bytes), next: next === null ? undefined : BigInt(next) }
    return queries.map(() => page)
  })

  return {
    get: (id) => getTogether('', id),
    list: async (petQuery) => (await select<PetRow>(createListQuery, petQuery)).map(parsePetColumns),
    page: (petQuery) => pageTogether(`${petQuery.status} ${petQuery.after} ${petQuery.limit}`, petQuery),
  }
}

const createListQuery = (from: string): string => `SELECT ${petColumns} ${from} LIMIT $2::text::int`

/** Returns a statement for a page. It reads one animal more than the page has. */
function createPageQuery(from: string): string {
  return `
    SELECT json, octet_length(json)::text AS bytes, next
    FROM (
      SELECT '[' || coalesce(array_to_string((array_agg(json))[:$2::text::int], ','), '') || ']' AS json,
        CASE WHEN count(*) > $2::text::int THEN (array_agg(id))[$2::text::int]::text END AS next
      FROM (SELECT pet.id, ${petJson} AS json ${from} LIMIT $2::text::int + 1) AS listed
    ) AS page`
}
