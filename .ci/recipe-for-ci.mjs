// Runs the recipe for CI as the manual of the suite prints it, in a folder where the built package is installed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, root, run } from './command.mjs'

await check('the recipe for CI', async (folder) => {
  const manual = readFileSync(join(root, 'conformance/README.md'), 'utf8')
  const [, script] = /<!-- conformance\/examples\/ci\.sh -->\n```sh\n([\s\S]*?)```/.exec(manual)
  const programs = join(folder, 'node_modules', '.bin')
  mkdirSync(programs, { recursive: true })
  for (const [name, path] of [
    ['pet-adoption-service', 'dist/adapters/standalone/main.js'],
    ['pet-adoption-conformance', 'dist/conformance/main.js'],
  ]) {
    const text = `#!/bin/sh\nexec '${process.execPath}' '${join(root, path)}' "$@"\n`
    writeFileSync(join(programs, name), text, { mode: 0o755 })
  }
  console.log(await run('sh', ['-c', script], { cwd: folder }))
})
