import { sha256 } from '../../core/index.ts'
import { networkOf } from '../../core/internal.ts'
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
 * Redis stores, and no server needs to count them. A SHA-256 selects its string and its name in it: the string by the
 * address or, of IPv6, by its /48, so that nobody can fill more than one string from a /48.
 */
export function createPlaces(maxAddresses: number): (key: string) => Place {
  const room = String(Math.min(maxAddresses, addressesPerString))
  const strings = Math.max(1, Math.ceil(maxAddresses / addressesPerString))

  return (key) => {
    if (!isAddress(key)) return { key, script: keyScript, values: [] }
    const string = Number.parseInt(sha256(networkOf(key)).slice(0, 8), 16) % strings
    const name = sha256(key).slice(8, 20)
    return { key: `addresses:${string}`, script: addressScript, values: [name, room] }
  }
}
