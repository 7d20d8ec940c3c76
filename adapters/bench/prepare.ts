import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Installs the peers at the first run, and builds the package where a source is newer than what was built. */
export function prepare(): void {
  install(here)
  const built = modified(join(root, 'dist/core/index.js'))
  if (['core', 'adapters', 'conformance'].some((folder) => newest(join(root, folder)) > built)) {
    npm(root, 'run', 'build')
  }
}

/** Installs what the lock file of a folder says, unless that is there. No package's script is run. */
export function install(folder: string): void {
  if (
    modified(join(folder, 'node_modules/.package-lock.json')) >= modified(join(folder, 'package-lock.json'))
  )
    return
  npm(folder, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
}

function npm(folder: string, ...args: readonly string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** In milliseconds since the epoch; 0 for what is not there. */
function modified(path: string): number {
  return existsSync(path) ? statSync(path).mtimeMs : 0
}

function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'bench')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? newest(path) : modified(path)
    })
  return Math.max(0, ...times)
}
