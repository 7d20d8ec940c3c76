import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Part } from '../../contracts/testing/part.ts'

export const root: string = fileURLToPath(new URL('../../../', import.meta.url))
const runtimes = join(root, '.ci/runtimes/node_modules')

/** Returns a program of the package for this platform, the only one of its kind that npm installs. */
function runtime(folder: string, prefix: string, path: string): Part<string> {
  const packages = existsSync(join(runtimes, folder)) ? readdirSync(join(runtimes, folder)) : []
  const found = packages.find((name) => name.startsWith(prefix))
  return found === undefined ? missing('.ci/runtimes') : { value: join(runtimes, folder, found, path) }
}

export const deno: Part<string> = runtime('@deno', '', 'deno')
export const bun: Part<string> = runtime('@oven', 'bun-', 'bin/bun')
/** The newest Node, for examples that do not run on the oldest supported one. */
export const newestNode: Part<string> = runtime('', 'node-26-', 'bin/node')
/** A Node that has `node:sqlite`: the one that runs the tests, if it does. */
export const nodeWithSqlite: Part<string> = process.getBuiltinModule('node:sqlite')
  ? { value: process.execPath }
  : newestNode

export const nginx: Part<string> = program('nginx')
export const haproxy: Part<string> = program('haproxy')
export const caddy: Part<string> = program('caddy')
export const nft: Part<string> = program('nft')

/** Returns a program of the path, or of Debian's folder. */
export function program(name: string): Part<string> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  const path = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  return path === undefined ? { absent: `this machine has no ${name}` } : { value: path }
}

/** The folder of an example that has packages of its own, if they are installed. */
export function exampleWithPackages(name: string): Part<string> {
  const folder = `adapters/examples/${name}`
  return existsSync(join(root, folder, 'node_modules')) ? { value: join(root, folder) } : missing(folder)
}

function missing(folder: string): Part<never> {
  return { absent: `npm ci --ignore-scripts --prefix ${folder} installs the packages that it requires` }
}
