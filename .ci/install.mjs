// Installs the packages of a folder that has a manifest and a lock of its own, unless that is done already.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './command.mjs'

/** No script of a package is run: their programs come as they are packed. */
const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** Takes the folder as a URL. Throws where npm fails. */
export async function install(folder) {
  const path = fileURLToPath(folder)
  const done = modified(join(path, 'node_modules/.package-lock.json'))
  if (done < modified(join(path, 'package-lock.json'))) await run('npm', ['ci', ...flags], { cwd: path })
}
