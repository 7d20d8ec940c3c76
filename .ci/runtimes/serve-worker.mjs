// Serves a Worker from its source on a port of this machine: node serve-worker.mjs SOURCE PORT
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const [, , source, port] = process.argv
const { outputFiles } = await build({
  entryPoints: [source],
  bundle: true,
  format: 'esm',
  conditions: ['workerd'],
  write: false,
})
const worker = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: '2026-07-01',
  host: '127.0.0.1',
  port: Number(port),
})
process.once('SIGTERM', async () => {
  await worker.dispose() // workerd is a process of its own
  process.exit()
})
await worker.ready
