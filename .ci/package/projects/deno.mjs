import { readFileSync } from 'node:fs'
import { createProject } from '../project.mjs'

const onHono = new URL('../../../adapters/examples/hono-deno/app.ts', import.meta.url)

/** A project on Deno, which imports the package as `npm:pet-adoption-service`. */
export async function denoProject(folder, { registry, examples, entries, judge, onPort }) {
  const { deno } = await import('../../runtimes/runtimes.mjs')
  const files = {
    'deno.json': {},
    'entries.ts': entries.map((entry, i) => `export * as entry${i} from '${entry}'\n`).join(''),
    'hono.ts': readFileSync(onHono, 'utf8'),
    'contract.ts': `
      import { createMemoryStore } from 'pet-adoption-service'
      import { petStoreContract } from 'pet-adoption-service/contracts'
      const capabilities = { page: true, createOnce: true, update: true, remove: true }
      petStoreContract({ test: Deno.test, createStore: createMemoryStore, capabilities })`,
  }
  for (const name of ['deno.ts', 'openapi.ts', 'conformance.ts']) files[name] = examples[name]
  files['client.ts'] = examples['client/node.ts']
  const env = { NPM_CONFIG_REGISTRY: registry, DENO_DIR: `${folder}/.deno`, NO_COLOR: '1' }
  const project = createProject(folder, files, env)

  await project.run(deno.program, 'add', 'npm:pet-adoption-service', 'npm:hono')
  await project.run(deno.program, 'check', ...Object.keys(files).filter((name) => name.endsWith('.ts')))
  for (const name of ['entries.ts', 'openapi.ts']) await project.run(deno.program, 'run', '--no-prompt', name)
  await project.run(deno.program, 'test', 'conformance.ts', 'contract.ts')
  const use = async (origin) => {
    await judge(origin)
    await project.call(origin, deno.program, 'run', '--allow-net', '--allow-env', 'client.ts')
  }
  await project.serve(use, deno.program, 'run', '--allow-net', '--allow-env', '--preload', onPort, 'deno.ts')
  const conformance = 'npm:pet-adoption-service/pet-adoption-conformance'
  await project.run(deno.program, 'run', '--allow-env', conformance, '--list')
}
