import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Installs the dependencies of the benchmark on the first run. Builds the package if a source is newer than the build. */
export function prepare(): void {
  install(here)
  const built = modified(join(root, 'dist/core/index.js'))
  if (['core', 'adapters', 'conformance'].some((folder) => newest(join(root, folder)) > built)) {
    npm(root, 'run', 'build')
  }
}

/** Installs the packages of a folder's lock file, unless they are up to date. Runs no install scripts. */
export function install(folder: string): void {
  if (
    modified(join(folder, 'node_modules/.package-lock.json')) >= modified(join(folder, 'package-lock.json'))
  )
    return
  npm(folder, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
}

export function npm(folder: string, ...args: readonly string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Returns the modification time in milliseconds since the epoch; 0 if the file does not exist. */
function modified(path: string): number {
  return existsSync(path) ? statSync(path).mtimeMs : 0
}

function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? newest(path) : modified(path)
    })
  return Math.max(0, ...times)
}
