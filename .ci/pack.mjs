// Packs the package as it is built: run `npm run build` before.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './command.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Answers the path of the tarball, in this folder, and what it holds: paths from its root. */
export async function pack(folder) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename, files }] = JSON.parse(await run('npm', args, { cwd: root }))
  return { tarball: join(folder, filename), paths: files.map(({ path }) => path) }
}
