import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createNodeHandler, dedicatedServerOptions, hardenServer } from '../../../dist/adapters/node-http.js'
import { createMemoryStore, type PetStore } from '../../../dist/core/index.js'
import { changePet, createService } from '../our-service.ts'
import { makePets } from '../world.ts'
import { listen } from './listen.ts'

/** The number of animals at the start, and the path of the SQLite file that stores them; without a path, they are in memory. */
const [count = '1000', file] = process.argv.slice(2)

/** Imports SQLite on demand: not every Node has it. */
async function openFile(path: string): Promise<PetStore> {
  const { DatabaseSync } = await import('node:sqlite')
  const { createSqliteStore } = await import('../../../dist/adapters/sqlite.js')
  return createSqliteStore({ database: new DatabaseSync(path) })
}

const store = file === undefined ? createMemoryStore() : await openFile(file)
const service = await createService(makePets(Number(count)), store)

/** A request outside the interface changes an animal. */
function fallback(req: IncomingMessage, res: ServerResponse): void {
  req.resume()
  void changePet(store, req.url ?? '').then(() => res.writeHead(200, { 'Content-Length': '0' }).end())
}

const server = createServer(dedicatedServerOptions, createNodeHandler(service, { fallback }))
hardenServer(server, service)
listen(server)
