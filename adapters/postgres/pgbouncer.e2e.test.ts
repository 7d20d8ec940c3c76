import type pg from 'pg'
import { mapPart, partValue, required, testWith } from '../contracts/testing/part.ts'
import { poolFor } from '../contracts/testing/postgres.ts'
import { createPrivatePgBouncer } from '../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres } from '../contracts/testing/private-postgres.ts'
import { storeSuites } from './testing/suites.ts'

const server = await createPrivatePostgres()
const pooler = 'value' in server ? await createPrivatePgBouncer(server.value.port) : server
const test = testWith(required(pooler))
let tables = 0

function createPool(max: number): () => pg.Pool {
  const part = mapPart(pooler, ({ port }) =>
    poolFor(`postgres://postgres@127.0.0.1:${port}/postgres`, { max }),
  )
  return () => partValue(part)
}

storeSuites(
  (name, body) => test(`through PgBouncer: ${name}`, body),
  () => `pets_${tables++}`,
  { pool: createPool(4), connection: createPool(1), another: createPool(1) },
)
