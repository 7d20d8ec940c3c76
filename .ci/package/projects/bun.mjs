import { readFileSync } from 'node:fs'
import { createProject } from '../project.mjs'

const example = new URL('../../../adapters/examples/bun/server.ts', import.meta.url)

/** A project on Bun, with the types that Bun recommends. */
export async function bunProject(folder, { registry, examples, entries, judge, onPort }) {
  const { bun } = await import('../../runtimes/runtimes.mjs')
  const files = {
    'package.json': { name: 'fresh', private: true, type: 'module' },
    'tsconfig.json': {
      compilerOptions: {
        target: 'ESNext',
        lib: ['ESNext'],
        types: ['bun'],
        module: 'Preserve',
        moduleResolution: 'bundler',
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      },
    },
    'entries.ts': entries.map((entry, i) => `export * as entry${i} from '${entry}'\n`).join(''),
    'bun.ts': readFileSync(example, 'utf8'),
    'contract.test.ts': `
      import { test } from 'bun:test'
      import { createMemoryStore } from 'pet-adoption-service'
      import { petStoreContract } from 'pet-adoption-service/contracts'
      const capabilities = { page: true, createOnce: true, update: true, remove: true }
      petStoreContract({ test, createStore: createMemoryStore, capabilities })`,
  }
  for (const name of ['node.ts', 'openapi.ts']) files[name] = examples[name]
  files['client.ts'] = examples['client/node.ts']
  files['conformance.test.ts'] = examples['conformance.ts']
  const env = { npm_config_registry: registry, BUN_INSTALL_CACHE_DIR: `${folder}/.bun` }
  const project = createProject(folder, files, env)

  await project.run(bun.program, 'add', 'pet-adoption-service')
  await project.run(bun.program, 'add', '-d', '@types/bun', 'typescript')
  await project.run(bun.program, 'x', 'tsc')
  for (const name of ['entries.ts', 'openapi.ts']) await project.run(bun.program, name)
  await project.run(bun.program, 'test')
  const use = async (origin) => {
    await judge(origin)
    await project.call(origin, bun.program, 'client.ts')
  }
  await project.serve(use, bun.program, 'bun.ts')
  await project.serve(judge, bun.program, '--preload', onPort, 'node.ts')
  await project.run(bun.program, 'x', 'pet-adoption-conformance', '--list')
}
