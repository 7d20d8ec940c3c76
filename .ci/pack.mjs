// Packs the built package as npm would publish it. Run `npm run build` first.
import { join } from 'node:path'
import { root, run } from './command.mjs'

/** Returns the tarball, the paths in it, and the folder with its files. */
export async function pack(folder) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename, files }] = JSON.parse(await run('npm', args, { cwd: root }))
  const tarball = join(folder, filename)
  await run('tar', ['-xzf', filename], { cwd: folder }) // creates the folder `package`
  return { tarball, paths: files.map(({ path }) => path), unpacked: join(folder, 'package') }
}
