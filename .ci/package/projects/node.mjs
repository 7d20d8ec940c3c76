import { createProject } from '../project.mjs'

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
    'src/entries.ts': entries.map((entry, i) => `export * as entry${i} from '${entry}'\n`).join(''),
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
