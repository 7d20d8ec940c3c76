import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const linked = ['node_modules', '.ci/bench/node_modules']
const copied = [
  'core',
  'adapters',
  'conformance',
  '.ci/package',
  'package.json',
  'tsconfig.json',
  '.tsconfig.build.json',
]

/** A copy of the source tree in a temporary folder. */
export interface Copy {
  readonly folder: string
  remove(): void
}

/** Returns the path of the patch that puts the plain form in the place of a trick. */
export function patchOf(name: string): string {
  return join(root, '.ci/bench/ablations', `${name}.patch`)
}

/**
 * Copies the source tree, puts the plain form of a trick in it, and builds it.
 *
 * @param name The name of the ablation; undefined for the product as it is.
 * @throws Error if the patch does not apply, or the patched tree has type errors; the message names the patch.
 */
export function makeCopy(name: string | undefined): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-ablate-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    for (const path of copied) {
      const filter = (source: string) => !['node_modules', 'dist'].includes(basename(source))
      cpSync(join(root, path), join(folder, path), { recursive: true, filter })
    }
    for (const path of linked) symlinkSync(join(root, path), join(folder, path))
    if (name !== undefined) run(name, folder, 'git', ['apply', patchOf(name)])
    run(name, folder, process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      '.tsconfig.build.json',
    ])
    run(name, folder, process.execPath, ['.ci/package/finish.mjs'])
  } catch (cause) {
    remove()
    throw cause
  }
  return {
    folder,
    remove() {
      process.off('exit', remove)
      remove()
    },
  }
}

function run(name: string | undefined, cwd: string, program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, { cwd, stdio: 'pipe', encoding: 'utf8' })
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string } // of execFileSync
    const what = name === undefined ? 'the product' : `ablations/${name}.patch`
    throw new Error(`${what}: ${basename(program)} ${basename(args[0] ?? '')} failed. Change the patch to fit the sources, \
or remove it.\n${stdout}${stderr}`)
  }
}
