import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Resource } from '../../contracts/testing/resource.ts'

export const root: string = fileURLToPath(new URL('../../../', import.meta.url))
const runtimes = join(root, '.ci/runtimes/node_modules')

/** Finds a runtime that npm has installed for this platform in `.ci/runtimes`. */
function findRuntime(folder: string, prefix: string, path: string): Resource<string> {
  const packages = existsSync(join(runtimes, folder)) ? readdirSync(join(runtimes, folder)) : []
  const found = packages.find((name) => name.startsWith(prefix))
  return found === undefined
    ? reportMissingPackages('.ci/runtimes')
    : { value: join(runtimes, folder, found, path) }
}

export const deno: Resource<string> = findRuntime('@deno', '', 'deno')
export const bun: Resource<string> = findRuntime('@oven', 'bun-', 'bin/bun')
/** The newest Node, for examples that do not run on the oldest supported version. */
export const newestNode: Resource<string> = findRuntime('', 'node-26-', 'bin/node')
/** A Node with `node:sqlite`: the one that runs the tests, if it has the module. */
export const nodeWithSqlite: Resource<string> = process.getBuiltinModule('node:sqlite')
  ? { value: process.execPath }
  : newestNode

export const nginx: Resource<string> = findProgram('nginx')
export const haproxy: Resource<string> = findProgram('haproxy')
export const caddy: Resource<string> = findProgram('caddy')
export const nft: Resource<string> = findProgram('nft')

/** Finds a program in the `PATH` and in `/usr/sbin`. */
export function findProgram(name: string): Resource<string> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  const path = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  return path === undefined ? { absent: `${name} is not installed` } : { value: path }
}

/** Finds an example's folder, if the packages that the example needs are installed. */
export function findExampleFolder(name: string): Resource<string> {
  const folder = `adapters/examples/${name}`
  return existsSync(join(root, folder, 'node_modules'))
    ? { value: join(root, folder) }
    : reportMissingPackages(folder)
}

function reportMissingPackages(folder: string): Resource<never> {
  return { absent: `packages are missing; run npm ci --ignore-scripts --prefix ${folder}` }
}
