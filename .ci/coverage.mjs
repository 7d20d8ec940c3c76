// Runs the tests. With CI=true it also measures coverage, within the bounds of .c8rc.json, which takes 25 % more time.
// In CI only SQLite can be absent, on a Node without it: then the files that need it do not count.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './command.mjs'

const tests = [join(root, '.ci/test.mjs'), ...process.argv.slice(2)]

/** The command line that runs the tests with coverage. */
function covered() {
  const { exclude } = JSON.parse(readFileSync(join(root, '.c8rc.json'), 'utf8'))
  const patterns = process.versions.sqlite ? exclude : [...exclude, 'adapters/**/*sqlite*{,/**}']
  const c8 = join(createRequire(import.meta.url).resolve('c8/package.json'), '../bin/c8.js')
  return [c8, ...patterns.flatMap((pattern) => ['--exclude', pattern]), process.execPath, ...tests]
}

const commandLine = process.env.CI === 'true' ? covered() : tests
process.exitCode = spawnSync(process.execPath, commandLine, { cwd: root, stdio: 'inherit' }).status ?? 1
