// How each runtime serves, and how it opens a SQLite file.
import { createFetchHandler } from '../../adapters/fetch/index.ts'
import { createPetServer } from '../../adapters/node-http/index.ts'
import { listen, shut } from '../../adapters/testing/listen.ts'

const { Bun, Deno } = globalThis
const hostname = '127.0.0.1'

async function openNodeSqlite() {
  const { DatabaseSync } = await import('node:sqlite')
  return (file) => new DatabaseSync(file)
}

const platforms = {
  node: {
    version: process.versions.node,
    async serve(service) {
      const server = createPetServer(service)
      return { port: await listen(server), close: () => shut(server) }
    },
    openSqlite: openNodeSqlite,
  },
  deno: {
    version: Deno?.version.deno,
    async serve(service) {
      const server = Deno.serve({ hostname, port: 0, onListen() {} }, createFetchHandler(service))
      return { port: server.addr.port, close: () => server.shutdown() }
    },
    openSqlite: openNodeSqlite,
  },
  bun: {
    version: Bun?.version,
    async serve(service) {
      const server = Bun.serve({ hostname, port: 0, fetch: createFetchHandler(service) })
      return { port: server.port, close: () => server.stop(true) }
    },
    async openSqlite() {
      const { Database } = await import('bun:sqlite')
      return (file) => new Database(file)
    },
  },
}

export const name = Bun ? 'bun' : Deno ? 'deno' : 'node'
export const { version, serve, openSqlite } = platforms[name]
