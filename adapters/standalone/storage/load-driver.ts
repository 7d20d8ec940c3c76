import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../errors.ts'

/**
 * Loads a driver that the operator has installed: next to the program, else in the working directory, where other users
 * may be able to write. This package depends on no driver. Rejects with `StartError` where there is none.
 */
export async function loadDriver(name: 'pg' | 'redis', source: string): Promise<unknown> {
  for (const place of [import.meta.url, join(process.cwd(), 'package.json')]) {
    const path = resolve(name, place)
    if (path) return import(pathToFileURL(path).href)
  }
  throw new StartError(`${source} needs the driver ${name}: npm install ${name}`)
}

function resolve(name: string, place: string): string | undefined {
  try {
    return createRequire(place).resolve(name)
  } catch {
    return undefined
  }
}
