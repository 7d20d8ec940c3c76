// Usage: node .ci/test.mjs [--e2e] [PATH ...]
// Runs the test files, and those below the folders, by default all, in few processes, since each one loads the sources:
// a process for each file would take 33 % of the time of `npm test`. With --e2e, runs only the tests of `npm run
// test:e2e`, one after the other.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { root } from './command.mjs'
import { createEntry, isEndToEnd, testsIn } from './test-files.mjs'

/** More than the cores of the smallest machines, since many tests wait for a server, a process or a clock. */
const PROCESSES = 3
/** Timeout of one process: far more than its tests take, so that a test that hangs fails and does not hold up CI. */
const TIMEOUT_MS = 1_500_000

const { values, positionals } = parseArgs({ allowPositionals: true, options: { e2e: { type: 'boolean' } } })
const paths = positionals.length > 0 ? positionals : ['core', 'adapters', 'conformance', '.ci']
const files = paths
  .map((path) => join(root, path))
  .flatMap((path) => (path.endsWith('.test.ts') ? [path] : testsIn(path)))
  .filter((path) => isEndToEnd(path) === (values.e2e ?? false))

function runTests(concurrency, paths) {
  const limits = [`--test-concurrency=${concurrency}`, `--test-timeout=${TIMEOUT_MS}`]
  const options = ['--import', 'tsx/esm', '--test', ...limits]
  process.exitCode =
    spawnSync(process.execPath, [...options, ...paths], { cwd: root, stdio: 'inherit' }).status ?? 1
}

const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-test-'))
try {
  if (values.e2e) runTests(1, files)
  else
    runTests(
      PROCESSES,
      Array.from({ length: Math.min(PROCESSES, files.length) }, (_, index) => {
        const entry = join(folder, `${index}.mjs`)
        writeFileSync(entry, createEntry(files.filter((_, at) => at % PROCESSES === index)))
        return entry
      }),
    )
} finally {
  rmSync(folder, { recursive: true })
}
