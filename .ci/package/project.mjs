// New projects that use the package, one for each runtime.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serving } from '../../adapters/examples/testing/serving.ts'
import { root, run } from '../command.mjs'

/** Creates a project in the folder `cwd`. A file is text, or a value for JSON. Each command runs in the folder, with `env`. */
function createProject(cwd, files, env) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }

  return {
    run: (command, ...args) => run(command, args, { cwd, env }),
    /** Runs a program that calls the service at an origin. */
    call: (origin, command, ...args) => {
      const service = { PET_ADOPTION_URL: `${origin}/v1`, PET_ADOPTION_API_KEY: 'my-first-long-api-key' }
      return run(command, args, { cwd, env: { ...env, ...service } })
    },
    /** Starts a program that listens on the port of the variable PORT, calls `use` with its origin, and ends it. */
    async serve(use, ...commandLine) {
      const { origin, end } = await serving({ after() {} }, commandLine, { cwd, env })
      await use(origin).finally(end)
    },
  }
}

const exampleOf = (path) => readFileSync(join(root, 'adapters/examples', path), 'utf8')
const importsOf = (entries) => entries.map((entry, i) => `export * as entry${i} from '${entry}'\n`).join('')

/** A program that runs the contract of stores. */
const contract = (test) => `
  import { createMemoryStore } from 'pet-adoption-service'
  import { petStoreContract } from 'pet-adoption-service/contracts'
  const capabilities = { page: true, createOnce: true, update: true, remove: true }
  petStoreContract({ test: ${test}, createStore: createMemoryStore, capabilities })`

/** A project on Node with strict TypeScript, which checks the declarations of the package too. */
export async function nodeProject(folder, { registry, examples, entries, judge, onPort }) {
  const files = {
    'package.json': { name: 'fresh', private: true, type: 'module' },
    'tsconfig.json': {
      compilerOptions: {
        target: 'ES2022',
        module: 'NodeNext',
        lib: ['ES2023'],
        types: ['node'],
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        rootDir: 'src',
        outDir: 'out',
      },
    },
    'src/entries.ts': importsOf(entries),
  }
  for (const name of ['node', 'openapi', 'conformance']) files[`src/${name}.ts`] = examples[`${name}.ts`]
  files['src/client.ts'] = examples['client/node.ts']
  const project = createProject(folder, files, { npm_config_registry: registry })

  await project.run('npm', 'install', '--no-audit', '--no-fund', 'pet-adoption-service')
  await project.run('npm', 'install', '--no-audit', '--no-fund', '-D', 'typescript', '@types/node@20')
  await project.run('npx', 'tsc')
  await project.run('npx', '--yes', '-p', 'typescript@5.2', 'tsc', '--noEmit') // the oldest that the manual names
  for (const name of ['entries', 'openapi', 'conformance']) await project.run('node', `out/${name}.js`)
  const use = async (origin) => {
    await judge(origin)
    await project.call(origin, 'node', 'out/client.js')
  }
  await project.serve(use, 'node', '--import', onPort, 'out/node.js')
  await project.run('npx', '--no-install', 'pet-adoption-service', '--version')
  await project.run('npx', '--no-install', 'pet-adoption-conformance', '--list')
}

/** A project on Deno, which imports the package as `npm:pet-adoption-service`. */
export async function denoProject(folder, { registry, examples, entries, judge, onPort }) {
  const { deno } = await import('../runtimes/runtimes.mjs')
  const files = {
    'deno.json': {},
    'entries.ts': importsOf(entries),
    'hono.ts': exampleOf('hono-deno/app.ts'),
    'contract.ts': contract('Deno.test'),
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

/** A project on Bun, with the types that Bun recommends. */
export async function bunProject(folder, { registry, examples, entries, judge, onPort }) {
  const { bun } = await import('../runtimes/runtimes.mjs')
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
    'entries.ts': importsOf(entries),
    'bun.ts': exampleOf('bun/server.ts'),
    'contract.test.ts': `import { test } from 'bun:test'\n${contract('test')}`,
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
