import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from './failures.ts'

/**
 * Loads a driver that the operator has installed, from the folder that the program runs in or from beside the program.
 * This package depends on none.
 */
export async function loadDriver(name: 'pg' | 'redis', source: string): Promise<unknown> {
  for (const place of [join(process.cwd(), 'package.json'), import.meta.url]) {
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
