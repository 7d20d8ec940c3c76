// Packs the built package: run `npm run build` first.
import { join } from 'node:path'
import { root, run } from './command.mjs'

/** Packs into a folder. Returns the paths of the tarball, of its files, and of the folder with them, unpacked. */
export async function pack(folder) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename, files }] = JSON.parse(await run('npm', args, { cwd: root }))
  const tarball = join(folder, filename)
  await run('tar', ['-xzf', filename], { cwd: folder }) // creates the folder `package`
  return { tarball, paths: files.map(({ path }) => path), unpacked: join(folder, 'package') }
}
