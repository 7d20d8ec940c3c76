// Installs the packages of a folder that has its own lock file, unless they are up to date.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNpm } from './command.mjs'

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/**
 * Install scripts do not run: the packages contain their programs.
 *
 * @param folder URL of the folder
 */
export async function install(folder) {
  const path = fileURLToPath(folder)
  const done = modified(join(path, 'node_modules/.package-lock.json'))
  if (done < modified(join(path, 'package-lock.json'))) await runNpm(path, 'ci', '--ignore-scripts')
}
