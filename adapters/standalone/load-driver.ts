import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { UsageError } from './errors.ts'

/**
 * Loads a driver that the operator has installed next to the program, and never from the working directory, where other
 * users may be able to write. This package depends on no driver. Rejects with `UsageError` if it is not installed.
 */
export async function loadDriver(name: 'pg' | 'ioredis', source: string): Promise<unknown> {
  let path: string
  try {
    path = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new UsageError(`${source} needs the driver ${name}: npm install ${name} next to this program`)
  }
  return import(pathToFileURL(path).href)
}
