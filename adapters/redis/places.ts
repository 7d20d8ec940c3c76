import { createHash } from 'node:crypto'

/** Where Redis stores an account. */
export interface Place {
  /** The key of the string, without the prefix. */
  readonly key: string
  /** The name of the account in that string. */
  readonly name: string
  /** How many accounts the string holds before further names share one. */
  readonly room: number
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
  const room = Math.min(maxAddresses, addressesPerString)
  const strings = Math.max(1, Math.ceil(maxAddresses / addressesPerString))

  return (key) => {
    if (!isAddress(key)) return { key, name: 'own', room: 1 }
    const digest = createHash('sha1').update(key).digest('hex')
    const string = Number.parseInt(digest.slice(0, 8), 16) % strings
    return { key: `addresses:${string}`, name: digest.slice(8, 20), room }
  }
}
