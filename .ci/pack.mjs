// Packs the built package: run `npm run build` first.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './command.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the path of the tarball in `folder`, and the paths of its files from its root. */
export async function pack(folder) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename, files }] = JSON.parse(await run('npm', args, { cwd: root }))
  return { tarball: join(folder, filename), paths: files.map(({ path }) => path) }
}
