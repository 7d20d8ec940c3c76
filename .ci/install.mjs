// Installs the packages of a folder that has its own package.json and lock file, unless they are installed.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './command.mjs'

/** Scripts of packages do not run: the packages contain their programs. */
const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** Installs the packages of a folder, which is a URL. Throws if npm fails. */
export async function install(folder) {
  const path = fileURLToPath(folder)
  const done = modified(join(path, 'node_modules/.package-lock.json'))
  if (done < modified(join(path, 'package-lock.json'))) await run('npm', ['ci', ...flags], { cwd: path })
}
