import { execFileSync, spawnSync } from 'node:child_process'
import { root } from '../command.mjs'
import { install } from '../install.mjs'

/** Requires the load generator, installs the dependencies of the benchmark on the first run, and builds the package. */
export async function prepare(): Promise<void> {
  if (spawnSync('wrk', ['--version']).error)
    throw new Error('wrk is missing, which sends the load: install it, for example with apt-get install wrk')
  await install(new URL('.', import.meta.url))
  npm(root, 'run', 'build')
}

export function npm(folder: string, ...args: readonly string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
