// Finds test files, and creates the program that runs many of them in one process.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Returns the paths of all test files in a folder, without following links: some packages link to the root. */
export function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsIn(path)
      return entry.name.endsWith('.test.ts') ? [path] : []
    })
    .sort()
}

export const isEndToEnd = (path) => path.endsWith('.e2e.test.ts')

/**
 * Returns a program that imports many test files. One test loads them all, so that no other test starts and no `after`
 * hook runs before. A file that cannot be loaded becomes a failing test. The program fails if a test leaves something
 * open for 10 seconds. Programs that tests start record no coverage, as that would cover `dist` and write its source
 * maps each time.
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
