/** What a limiter counts by: a caller that a key names, or the address of an anonymous client. */
export type LimiterKey = `key:${string}` | `address:${string}`

/** Returns the limiter's key of a caller, by the caller's id. */
export function keyOfCaller(id: string): LimiterKey {
  return `key:${id}`
}

/** Returns the limiter's key of an anonymous client, by the bucket of its address. */
export function keyOfAddress(address: string): LimiterKey {
  return `address:${address}`
}

/** Whether a limiter's key is that of an anonymous client. */
export function isAddressKey(key: string): boolean {
  return key.startsWith('address:')
}
