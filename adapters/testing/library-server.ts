// A server that uses the library as an app does, for tests with database failures. Like the standalone server, it has
// the flags `--postgres URL` and `--data FILE`, and a readiness check at `/readyz`.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createKeyStore, createPetService, sha256 } from '../../core/index.ts'
import { createPetServer } from '../node-http/index.ts'
import { openPostgres } from '../postgres/index.ts'
import { openSqlite } from '../sqlite/index.ts'

const options = { postgres: { type: 'string' }, data: { type: 'string' } } as const
const { postgres: url, data: file = '' } = parseArgs({ options, strict: false }).values
const onEvent = (event: object) => console.error(event)
const backend =
  typeof url === 'string'
    ? await openPostgres({ driver: pg, url, onEvent })
    : await openSqlite({ file: String(file), onEvent })
const { PET_ADOPTION_API_KEY: key } = process.env
const limits = { minute: 10_000_000, day: 100_000_000 }
const service = createPetService({
  store: backend.store,
  keys: key
    ? createKeyStore([{ id: 'tests', sha256: sha256(key), plan: 'enterprise', limits }])
    : backend.keys,
  onError() {},
})

const server = createPetServer(service, {
  fallback: (_request, response) =>
    void backend.check().then(({ reads }) => response.writeHead(reads ? 503 : 200).end()),
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
process.once('SIGTERM', () =>
  server.close(async () => {
    await backend.close()
    process.exit(0)
  }),
)
