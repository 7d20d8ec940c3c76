// Has a fresh project of each kind install the package from a registry, compile the README's examples and run them, as
// somebody would who follows it: node --import tsx .ci/package/projects.mjs [node] [deno] [bun], all by default.
// Exits with 1 and the reason where one of them fails.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { bunProject } from './projects/bun.mjs'
import { denoProject } from './projects/deno.mjs'
import { nodeProject } from './projects/node.mjs'
import { startRegistry } from './registry.mjs'

const projects = { node: nodeProject, deno: denoProject, bun: bunProject }
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(projects)
const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-projects-'))
let registry
try {
  const { tarball } = await pack(folder)
  await run('tar', ['-xzf', tarball, '-C', folder]) // makes the folder `package`
  const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))
  registry = await startRegistry(tarball, manifest)
  const surroundings = {
    registry: registry.url,
    examples: examplesOf(readFileSync(join(folder, 'package/README.md'), 'utf8')),
    entries: Object.keys(manifest.exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => entry.replace('.', manifest.name)),
    judge: (origin) => judge(join(folder, 'package', manifest.bin['pet-adoption-conformance']), origin),
    onPort: fileURLToPath(new URL('../on-port.mjs', import.meta.url)),
  }
  if (names.some((name) => name !== 'node')) await install(new URL('../runtimes/', import.meta.url))
  for (const name of names) {
    const started = Date.now()
    await projects[name](join(folder, name), surroundings)
    console.log(`ok      a fresh project on ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  }
} catch (error) {
  console.error(`the check of fresh projects failed: ${error.message}`)
  process.exitCode = 1
} finally {
  registry?.close()
  rmSync(folder, { recursive: true })
}

/** The blocks of the README, by the names of their files. */
function examplesOf(readme) {
  const blocks = readme.matchAll(/^<!-- adapters\/examples\/(\S+) -->\n```ts\n([\s\S]*?)^```$/gm)
  return Object.fromEntries([...blocks].map(([, name, code]) => [name, code]))
}

/** Every rule that a service without animals leaves to be judged. */
async function judge(program, origin) {
  const env = { PET_ADOPTION_API_KEY: 'my-first-long-api-key' }
  await run(process.execPath, [program, `${origin}/v1`, '--profile', 'create', '--allow-inconclusive'], {
    env,
  })
}
