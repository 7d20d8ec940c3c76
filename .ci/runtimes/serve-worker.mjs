// Serves a Worker from its source on a port of this machine: node serve-worker.mjs SOURCE PORT [SCHEMA]
// With a file of SQL, the Worker has a database of that schema, DATABASE, and Durable Objects of its class Account,
// ACCOUNTS.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const [, , source, port, schema] = process.argv
const { outputFiles } = await build({
  entryPoints: [source],
  bundle: true,
  format: 'esm',
  conditions: ['workerd'],
  external: ['cloudflare:workers'],
  write: false,
})
const folder = mkdtempSync(join(tmpdir(), 'worker-'))
const options = {
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: '2026-07-01',
  host: '127.0.0.1',
  ...(schema && {
    d1Databases: ['DATABASE'],
    d1Persist: folder,
    durableObjects: { ACCOUNTS: { className: 'Account', useSQLite: true } },
  }),
}
if (schema) {
  const preparing = new Miniflare(options)
  const database = await preparing.getD1Database('DATABASE')
  const statements = readFileSync(schema, 'utf8').split(';')
  for (const statement of statements) if (statement.trim() !== '') await database.prepare(statement).run()
  await preparing.dispose()
}
const worker = new Miniflare({ ...options, port: Number(port) })
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('SIGTERM', async () => {
  await worker.dispose() // workerd is a process of its own
  process.exit()
})
await worker.ready
