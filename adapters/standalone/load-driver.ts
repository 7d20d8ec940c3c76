import { createRequire } from 'node:module'
import { resolve as absolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from './errors.ts'

/**
 * Loads a driver that the operator has installed: in the `node_modules` of a folder that was named, else next to the program;
 * never from the working directory, where other users may be able to write. This package depends on no driver. Rejects with
 * `StartError` where there is none.
 */
export async function loadDriver(
  name: 'pg' | 'ioredis',
  source: string,
  folder: string | undefined,
): Promise<unknown> {
  const path = resolve(name, folder === undefined ? import.meta.url : join(absolute(folder), 'package.json'))
  if (path) return import(pathToFileURL(path).href)
  const place =
    folder === undefined ? 'next to this program, or name its folder with --drivers' : `in ${folder}`
  throw new StartError(`${source} needs the driver ${name}: npm install ${name} ${place}`)
}

function resolve(name: string, place: string): string | undefined {
  try {
    return createRequire(place).resolve(name)
  } catch {
    return undefined
  }
}
