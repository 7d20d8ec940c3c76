import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Installs the dependencies of the benchmark on the first run. Builds the package if a source is newer than the build. */
export async function prepare(): Promise<void> {
  await install(new URL('.', import.meta.url))
  const index = join(root, 'dist/core/index.js')
  const built = existsSync(index) ? statSync(index).mtimeMs : 0
  if (['core', 'adapters', 'conformance'].some((folder) => newest(join(root, folder)) > built))
    npm(root, 'run', 'build')
}

/** Installs the packages of a folder, which is a URL, unless they are installed. */
export async function install(folder: URL): Promise<void> {
  const installing: { install(folder: URL): Promise<void> } = await import(
    new URL('../install.mjs', import.meta.url).href
  )
  await installing.install(folder)
}

export function npm(folder: string, ...args: readonly string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Returns when the latest source below a folder was written. Examples install this package as a link to its root: no link is followed. */
function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : newest(path)
    return entry.name.endsWith('.ts') ? statSync(path).mtimeMs : 0
  })
  return Math.max(0, ...times)
}
