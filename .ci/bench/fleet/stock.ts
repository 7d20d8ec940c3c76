import type { Stock } from './figures.ts'
import { type Fleet, round } from './measure-cell.ts'
import type { PostgresPart } from './postgres-part.ts'
import type { Size } from './world.ts'

/** Measures what the keys and animals of a fleet take, once all its servers have been loaded. */
export async function measureStock({ servers, redis, postgres }: Fleet, size: Size): Promise<Stock> {
  const full = await redis.stored()
  await redis.clear() // the scripts and the connections stay
  const empty = await redis.stored()
  return {
    size,
    startMs: Math.round(Math.max(...servers.map(({ startMs }) => startMs))),
    serverMiB: Math.round(Math.max(...servers.map(({ memory }) => memory()))),
    redisBytesPerKey: round((full.bytes - empty.bytes) / full.keys),
    keysMiB: await tableMiB(postgres, 'pets_api_keys'),
    animalsMiB: await tableMiB(postgres, 'pets'),
    countMs: await timeToCount(postgres),
  }
}

async function tableMiB({ query }: PostgresPart, table: string): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    'SELECT pg_total_relation_size($1::regclass)::float8 AS bytes',
    [table],
  )
  return round((row?.bytes ?? 0) / 2 ** 20)
}

/** The statement of a server at its start and for `/metrics`, in its essence: one pass over the table. */
async function timeToCount({ query }: PostgresPart): Promise<number> {
  const begin = performance.now()
  await query(
    `SELECT count(*), count(*) FILTER (WHERE revoked_at IS NULL), min(expires_at) FROM pets_api_keys`,
  )
  return round(performance.now() - begin)
}
