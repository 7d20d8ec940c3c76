import { mapPart, type Part } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { temporaryDatabases } from './database.ts'

/** A place of keys without any. */
export interface KeyPlace {
  /** The flag that names it. */
  readonly flag: string
  /** The flags of a server with these keys. */
  readonly serve: string
  /** The lock that a killed command may leave. */
  readonly lock?: string
}

/** Returns functions that create a place of each kind. */
export async function keyPlaces(): Promise<Readonly<Record<string, Part<() => Promise<KeyPlace>>>>> {
  const newFile = temporaryFiles()
  const storage = (flag: string): KeyPlace => ({ flag, serve: flag })
  return {
    SQLite: mapPart(sqlite, () => async () => storage(`--data ${newFile()}`)),
    PostgreSQL: mapPart(
      await temporaryDatabases(),
      (newDatabase) => async () => storage(`--postgres ${await newDatabase()}`),
    ),
    'a keys file': {
      async value() {
        const path = newFile('keys.json')
        const flag = `--keys ${path}`
        return { flag, serve: `--memory ${flag}`, lock: `${path}.lock` }
      },
    },
  }
}

/** The output of `keys issue` and `keys rotate` with `--json`. */
export interface IssuedKey {
  readonly id: string
  readonly plan: string
  readonly key: string
  readonly sha256: string
  readonly expiresAt?: string
}
