// Judges the package as it is built and packed: what it holds, and what publint and "are the types wrong" say of it.
// Exits with 1 and the findings where there are any.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { reachable } from './reachable.mjs'

const tool = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))

/** Everything that a user can come to, and nothing else. */
function checkContents(tarball, paths, folder) {
  mkdirSync(folder)
  run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  const wanted = new Set(['package.json', 'README.md', ...reachable(folder)])
  const surplus = paths.filter((path) => !wanted.delete(path))
  if (surplus.length > 0) throw new Error(`the tarball holds what nobody needs:\n${surplus.join('\n')}`)
  if (wanted.size > 0) throw new Error(`the tarball lacks:\n${[...wanted].join('\n')}`)
  return `${paths.length} files`
}

/** Its suggestions count too, though it does not fail for them. */
function checkPublint(tarball) {
  const findings = run(process.execPath, [tool('publint/src/cli.js'), '--strict', tarball])
  if (!findings.includes('All good!')) throw new Error(`publint finds:\n${findings}`)
}

const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-package-'))
try {
  install(new URL('.', import.meta.url))
  const { tarball, paths } = pack(folder)
  const checks = {
    contents: () => checkContents(tarball, paths, join(folder, 'unpacked')),
    publint: () => checkPublint(tarball),
    'are the types wrong': () =>
      void run(process.execPath, [
        tool('@arethetypeswrong/cli/dist/index.js'),
        '--profile',
        'esm-only',
        tarball,
      ]),
  }
  for (const [title, check] of Object.entries(checks)) {
    console.log(`ok      ${title.padEnd(20)} ${check() ?? ''}`)
  }
} catch (error) {
  console.error(`the check of the package failed: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
