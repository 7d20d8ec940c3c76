import { sha256 } from '../../core/index.ts'
import { addressScript, keyScript, type Script } from './script.ts'

/** Where Redis stores an account, and the script that decides there. */
export interface Place {
  /** The key of the string, without the prefix. */
  readonly key: string
  readonly script: Script
  /** Further arguments of the script: for an address, its name in the string, and for how many names the string has room. */
  readonly values: readonly string[]
}

/** How many addresses one string holds. More would fill evenly, but each request reads and writes the whole string. */
const addressesPerString = 16

/** Whether a limiter's key belongs to an anonymous client. */
export function isAddress(key: string): boolean {
  return key.startsWith('address:')
}

/**
 * Returns a function that finds the place of a limiter's key.
 *
 * A caller with a key has a string of its own. Addresses share a fixed number of strings, so `maxAddresses` bounds what
 * Redis stores, and no server needs to count them. The SHA-256 of an address selects its string and its name in it.
 */
export function createPlaces(maxAddresses: number): (key: string) => Place {
  const room = String(Math.min(maxAddresses, addressesPerString))
  const strings = Math.max(1, Math.ceil(maxAddresses / addressesPerString))

  return (key) => {
    if (!isAddress(key)) return { key, script: keyScript, values: [] }
    const digest = sha256(key)
    const string = Number.parseInt(digest.slice(0, 8), 16) % strings
    return { key: `addresses:${string}`, script: addressScript, values: [digest.slice(8, 20), room] }
  }
}
