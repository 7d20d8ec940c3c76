// Runs every test but those of `npm run test:fleet`, about sixteen files in a process: a process through tsx for each file would take a third of the time of
// `npm test`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROCESSES = 8
/** More than the cores of most machines, since many tests wait for a server, a process or a clock. */
const AT_ONCE = 4

/** Returns the test files below a folder. It follows no link: some packages link to the root. */
function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsIn(path)
    const isTest = entry.name.endsWith('.test.ts') && !entry.name.endsWith('.fleet.test.ts')
    return isTest ? [path] : []
  })
}

const files = ['core', 'adapters', 'conformance', '.ci']
  .flatMap((folder) => testsIn(join(ROOT, folder)))
  .sort()

/**
 * Imports the files in one test, so that no other test starts and no `after` hook runs before all files are loaded. Programs
 * that tests start record no coverage: it would be that of dist, and each would write all of its source maps.
 */
const entryOf = (files) => `import { test } from 'node:test'
delete process.env.NODE_V8_COVERAGE
let loaded = () => {}
test('${files.length} test files load', () => new Promise((resolve) => { loaded = resolve }))
for (const file of ${JSON.stringify(files)}) await import(file)
loaded()
`

const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-test-'))
try {
  const entries = Array.from({ length: PROCESSES }, (_, index) => {
    const entry = join(folder, `${index}.mjs`)
    writeFileSync(entry, entryOf(files.filter((_, at) => at % PROCESSES === index)))
    return entry
  })
  const options = ['--import', 'tsx/esm', '--test', `--test-concurrency=${AT_ONCE}`]
  process.exitCode =
    spawnSync(process.execPath, [...options, ...entries], { cwd: ROOT, stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
