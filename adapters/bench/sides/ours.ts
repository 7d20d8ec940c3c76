import { createServer } from 'node:http'
import { createNodeHandler, dedicatedServerOptions, hardenServer } from '../../../dist/adapters/node-http.js'
import { createMemoryStore, type PetStore } from '../../../dist/core/index.js'
import { createService } from '../our-service.ts'
import { animals } from '../world.ts'
import { listen } from './listen.ts'

/** How many animals it begins with, and the SQLite file to keep them in; in memory where none is named. */
const [count = '1000', file] = process.argv.slice(2)

/** Loaded only when asked for: not every Node has SQLite. */
async function openFile(path: string): Promise<PetStore> {
  const { DatabaseSync } = await import('node:sqlite')
  const { createSqliteStore } = await import('../../../dist/adapters/sqlite.js')
  return createSqliteStore({ database: new DatabaseSync(path) })
}

const store = file === undefined ? createMemoryStore() : await openFile(file)
const service = await createService(animals(Number(count)), store)
const server = createServer(dedicatedServerOptions, createNodeHandler(service))
hardenServer(server, service)
listen(server)
