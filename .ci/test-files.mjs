// Which files hold tests, and the entries that import many of them into one process.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Returns the paths of the test files below a folder, sorted. It follows no link: some packages link to the root. */
export function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsIn(path)
      return entry.name.endsWith('.test.ts') ? [path] : []
    })
    .sort()
}

/** Returns true if a test takes too long, or needs too many programs, for `npm test`. */
export const isEndToEnd = (path) => path.endsWith('.e2e.test.ts')

/**
 * Returns a module that imports test files in one test, so that no other test starts and no `after` hook runs before
 * all files are loaded. A file that cannot be loaded is a test that fails with the cause, and the others run. A process
 * that does not end after its tests, since one left something open, fails with its kind. Programs that tests start
 * record no coverage: it would cover dist, and each would write all of its source maps.
 */
export function createEntry(files) {
  const urls = files.map((file) => pathToFileURL(file).href)
  return `import { after, test } from 'node:test'
delete process.env.NODE_V8_COVERAGE
after(() => {
  setTimeout(() => {
    console.error('A test left something open: ' + process.getActiveResourcesInfo().join(', '))
    process.exit(1)
  }, 10_000).unref()
})
let loaded = () => {}
test('${files.length} test files load', () => new Promise((resolve) => { loaded = resolve }))
for (const url of ${JSON.stringify(urls)}) {
  try {
    await import(url)
  } catch (cause) {
    test(\`\${url} cannot be loaded\`, () => { throw cause })
  }
}
loaded()
`
}
