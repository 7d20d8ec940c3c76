import type { Pet, PetQuery, PetStore } from '../../core/index.ts'
import { type PetRow, type Promised, parsePetRow } from '../sql/store.ts'
import { createBatcher } from './batcher.ts'
import type { Query } from './client.ts'
import type { TableNames } from './table.ts'

/**
 * Columns that {@link parsePetColumns} reads, from a table named `pet`. The name is JSON because PGlite removes a byte
 * order mark at the start of a string.
 */
export const petColumns =
  'pet.id::text AS id, to_json(name)::text AS name, category_id::text AS "categoryId", status'

/** Parses a row with {@link petColumns}. */
export function parsePetColumns(row: PetRow): Pet {
  return parsePetRow({ ...row, name: JSON.parse(row.name) })
}

interface PageRow {
  readonly json: string
  /** Size of `json` in bytes. The database's encoding is UTF-8. */
  readonly bytes: string
  readonly next: string | null
}

/** SQL for an animal as JSON, in the same form as `petToJson` returns. */
const petJson = `'{"id":' || pet.id || ',"name":' || to_json(name) || ',"categoryId":' || category_id
  || coalesce(',"status":"' || status || '"', '') || '}'`

const int64Max = 2n ** 63n - 1n

/**
 * Creates the methods that read animals. Calls in the same event loop turn share a statement if they get animals by id,
 * or read the same page.
 */
export function createReadMethods(
  { name }: TableNames,
  query: Query,
): Promised<PetStore, 'get' | 'list' | 'page'> {
  const byIds = `SELECT ${petColumns} FROM ${name} AS pet WHERE pet.id = ANY (string_to_array($1, ',')::bigint[])`
  const from = {
    any: `FROM ${name} AS pet WHERE pet.id > $1::text::bigint ORDER BY pet.id`,
    // With row comparisons, PostgreSQL uses the index on both columns. With one condition per column, it may read
    // animals by id instead and skip any number with other statuses.
    byStatus: `FROM ${name} AS pet WHERE (status, pet.id) > ($3, $1::text::bigint)
      AND (status, pet.id) <= ($3, ${int64Max}) ORDER BY status, pet.id`,
  }

  /** Runs a statement over the animals with the query's status, or over all animals. */
  function select<Row>(
    toStatement: (from: string) => string,
    { limit, status, after = 0n }: PetQuery,
  ): Promise<readonly Row[]> {
    const values = [String(after), limit]
    return status
      ? query<Row>(toStatement(from.byStatus), [...values, status])
      : query<Row>(toStatement(from.any), values)
  }

  const getInBatch = createBatcher(async (_name, ids: readonly bigint[]) => {
    const rows = await query<PetRow>(byIds, [[...new Set(ids)].join()])
    const found = new Map(rows.map((row) => [row.id, parsePetColumns(row)]))
    return ids.map((id) => found.get(String(id)))
  })

  const readPageInBatch = createBatcher(async (_name, queries: readonly PetQuery[]) => {
    const [first] = queries as readonly [PetQuery] // a batch has at least one query, and all its queries are equal
    const [row] = await select<PageRow>(createPageQuery, first)
    if (!row) throw new Error('PostgreSQL returned no page')
    const { json, bytes, next } = row
    const page = { json, bytes: Number(bytes), next: next === null ? undefined : BigInt(next) }
    return queries.map(() => page)
  })

  return {
    get: (id) => getInBatch('', id),
    list: async (petQuery) => (await select<PetRow>(createListQuery, petQuery)).map(parsePetColumns),
    page: (petQuery) => readPageInBatch(`${petQuery.status} ${petQuery.after} ${petQuery.limit}`, petQuery),
  }
}

const createListQuery = (from: string): string => `SELECT ${petColumns} ${from} LIMIT $2::text::int`

/**
 * Returns a statement for a page as one JSON text. The statement reads one animal more than the limit to find out
 * whether another page follows.
 */
function createPageQuery(from: string): string {
  return `
    SELECT json, octet_length(json)::text AS bytes, next
    FROM (
      SELECT '[' || coalesce(array_to_string((array_agg(json))[:$2::text::int], ','), '') || ']' AS json,
        CASE WHEN count(*) > $2::text::int THEN (array_agg(id))[$2::text::int]::text END AS next
      FROM (SELECT pet.id, ${petJson} AS json ${from} LIMIT $2::text::int + 1) AS listed
    ) AS page`
}
