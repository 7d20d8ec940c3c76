import type pg from 'pg'
import { createPool } from '../contracts/testing/postgres.ts'
import { createPrivatePgBouncer } from '../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres } from '../contracts/testing/private-postgres.ts'
import { getResource, mapResource, requireOnCi, testWith } from '../contracts/testing/resource.ts'
import { registerStoreSuites } from './testing/suites.ts'

const server = await createPrivatePostgres()
const pooler = 'value' in server ? await createPrivatePgBouncer(server.value.port) : server
const test = testWith(requireOnCi(pooler))
let tables = 0

function createPoolerPool(max: number): () => pg.Pool {
  const part = mapResource(pooler, ({ port }) =>
    createPool(`postgres://postgres@127.0.0.1:${port}/postgres`, { max }),
  )
  return () => getResource(part)
}

registerStoreSuites(
  (name, body) => test(`PgBouncer: ${name}`, body),
  () => `pets_${tables++}`,
  { pool: createPoolerPool(4), connection: createPoolerPool(1), another: createPoolerPool(1) },
)
