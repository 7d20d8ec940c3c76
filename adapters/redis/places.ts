import { createHash } from 'node:crypto'
import { addressScript, keyScript, type Script } from './script.ts'

/** Where Redis stores an account, and the script that decides there. */
export interface Place {
  /** The key of the string, without the prefix. */
  readonly key: string
  readonly script: Script
  /** What the script takes besides: of an address, its name in the string and how many names the string has room for. */
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
 * A caller with a key has a string of its own. Addresses share a fixed number of strings, so that `maxAddresses` bounds
 * what Redis holds without any server counting; SHA-1 says which string, and names the address in it.
 */
export function createPlaces(maxAddresses: number): (key: string) => Place {
  const room = String(Math.min(maxAddresses, addressesPerString))
  const strings = Math.max(1, Math.ceil(maxAddresses / addressesPerString))

  return (key) => {
    if (!isAddress(key)) return { key, script: keyScript, values: [] }
    const digest = createHash('sha1').update(key).digest('hex')
    const string = Number.parseInt(digest.slice(0, 8), 16) % strings
    return { key: `addresses:${string}`, script: addressScript, values: [digest.slice(8, 20), room] }
  }
}
