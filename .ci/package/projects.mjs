// Installs the package from a registry in a fresh project for each runtime, compiles the examples of the manuals there and
// runs them: node --import tsx .ci/package/projects.mjs [node] [deno] [bun], all by default.
// Exits with 1 and the reason if one of them fails.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, run } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { bunProject, denoProject, nodeProject } from './project.mjs'
import { manuals } from './reachable.mjs'
import { startRegistry } from './registry.mjs'

const projects = { node: nodeProject, deno: denoProject, bun: bunProject }
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(projects)
await check('the check of fresh projects', async (folder) => {
  const { tarball, unpacked } = await pack(folder)
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const registry = await startRegistry(tarball, manifest)
  const context = {
    registry: registry.url,
    examples: examplesOf(unpacked),
    entries: Object.keys(manifest.exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => entry.replace('.', manifest.name)),
    judge: (origin) => judge(join(unpacked, manifest.bin['pet-adoption-conformance']), origin),
    onPort: new URL('../on-port.mjs', import.meta.url).href,
  }
  try {
    if (names.some((name) => name !== 'node')) await install(new URL('../runtimes/', import.meta.url))
    for (const name of names) {
      const started = Date.now()
      await projects[name](join(folder, name), context)
      console.log(`ok      a fresh project on ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
    }
  } finally {
    registry.close()
  }
})

/** Returns the TypeScript blocks of the package's manuals, by the names of their files. */
function examplesOf(packageFolder) {
  const text = manuals(packageFolder)
    .map((path) => readFileSync(join(packageFolder, path), 'utf8'))
    .join('\n')
  const blocks = text.matchAll(/^<!-- adapters\/examples\/(\S+) -->\n```ts\n([\s\S]*?)^```$/gm)
  return Object.fromEntries([...blocks].map(([, name, code]) => [name, code]))
}

/** Judges every rule that needs no animals at the start. */
async function judge(program, origin) {
  const env = { PET_ADOPTION_API_KEY: 'my-first-long-api-key' }
  await run(process.execPath, [program, `${origin}/v1`, '--profile', 'create', '--allow-inconclusive'], {
    env,
  })
}
