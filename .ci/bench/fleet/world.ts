import type { PostgresPart } from './postgres-part.ts'

/** How many keys and how many animals there are. */
export type Size = 1_000 | 1_000_000

export const sizes: readonly Size[] = [1_000, 1_000_000]

/** Returns the key of a caller. It is no secret: the database of this run alone has it. */
export function keyOf(caller: number): string {
  return `fleet-${String(caller).padStart(20, '0')}`
}

/** Fills the empty tables of a server that has started there, with keys of the plan enterprise that reach no limit. */
export async function fill({ query }: PostgresPart, size: Size): Promise<void> {
  await query('TRUNCATE pets, pets_api_keys, pets_creations RESTART IDENTITY')
  await query(
    `INSERT INTO pets_api_keys (sha256, id, plan, minute, day, created_at)
    SELECT encode(sha256(convert_to('fleet-' || lpad(n::text, 20, '0'), 'UTF8')), 'hex'), 'caller-' || n, 'enterprise', 10000000, 100000000, 0
    FROM generate_series(0, $1::int - 1) AS n`,
    [size],
  )
  await query(
    `INSERT INTO pets (name, category_id, status)
    SELECT 'Sir Barksalot ' || n, n % 40 + 1, (ARRAY['available', 'pending', 'sold'])[n % 3 + 1]
    FROM generate_series(1, $1::int) AS n`,
    [size],
  )
  await settle(query)
}

/** Removes what a measurement has added. */
export async function restore({ query }: PostgresPart, size: Size): Promise<void> {
  await query('DELETE FROM pets WHERE id > $1::bigint', [size])
  await query('TRUNCATE pets_creations')
  await settle(query)
}

/** Does what autovacuum and the next checkpoint would do later. */
async function settle(query: PostgresPart['query']): Promise<void> {
  await query('VACUUM (ANALYZE)')
  await query('CHECKPOINT')
}
