import { mapPart, type Part } from '../../contracts/testing/part.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { temporaryStorages } from './storages.ts'

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
  const inStorage = (newStorage: () => Promise<string>) => async (): Promise<KeyPlace> => {
    const flag = await newStorage()
    return { flag, serve: flag }
  }
  const { SQLite, PostgreSQL } = await temporaryStorages()
  return {
    SQLite: mapPart(SQLite, inStorage),
    PostgreSQL: mapPart(PostgreSQL, inStorage),
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
