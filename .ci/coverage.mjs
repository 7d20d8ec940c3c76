// Runs the tests as `npm test` does, and measures coverage if CI is "true", as coverage takes 25 % longer. Arguments go
// to .ci/test.mjs. Files that need SQLite do not count on a Node without it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './command.mjs'

const tests = [join(root, '.ci/test.mjs'), ...process.argv.slice(2)]

function createCoverageCommand() {
  const { exclude } = JSON.parse(readFileSync(join(root, '.c8rc.json'), 'utf8'))
  const patterns = process.versions.sqlite ? exclude : [...exclude, 'adapters/**/*sqlite*{,/**}']
  const c8 = join(createRequire(import.meta.url).resolve('c8/package.json'), '../bin/c8.js')
  return [c8, ...patterns.flatMap((pattern) => ['--exclude', pattern]), process.execPath, ...tests]
}

const commandLine = process.env.CI === 'true' ? createCoverageCommand() : tests
process.exitCode = spawnSync(process.execPath, commandLine, { cwd: root, stdio: 'inherit' }).status ?? 1
