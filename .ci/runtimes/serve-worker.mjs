// Serves a Worker with workerd. Arguments: source file, port, compatibility flags.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import workerd from 'workerd'
import { inFolder } from '../command.mjs'

const [, , source, port, ...flags] = process.argv
const { outputFiles } = await build({
  entryPoints: [source],
  bundle: true,
  format: 'esm',
  conditions: ['workerd'],
  external: ['node:*', 'cloudflare:*'],
  write: false,
})
const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "pets", worker = (
    modules = [(name = "worker.mjs", esModule = ${JSON.stringify(outputFiles[0].text)})],
    compatibilityDate = "2026-07-01",
    compatibilityFlags = ${JSON.stringify(flags)},
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "pets")],
);`
await inFolder(async (folder) => {
  const path = join(folder, 'config.capnp')
  writeFileSync(path, config)
  const child = spawn(workerd.default, ['serve', path], { stdio: 'inherit' })
  process.once('SIGTERM', () => child.kill())
  await once(child, 'exit')
})
