/** An IPv6 address as a number. An IPv4 address is in its IPv4-mapped form (RFC 4291, 2.5.5.2). */
export type Address = bigint

/** Maximum address length, with brackets, zone and port. Longer strings are not parsed. */
const maxTextLength = 100

/** Parses an IP address, optionally with brackets, a port or a zone. Returns `undefined` if it is invalid. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > maxTextLength) return undefined
  const withoutPort = text.replace(/^\[([^\]]*)\](?::\d+)?$|^(\d+\.[\d.]+):\d+$/, '$1$2')
  return parseWithoutPort(withoutPort.includes(':') ? withoutPort.replace(/%.*$/, '') : withoutPort)
}

/**
 * Returns the address whose bucket a client uses: the IPv4 address, or the /64 network around an IPv6 address, which
 * belongs to one subscriber.
 */
export function toBucketAddress(address: Address): string {
  if (address >> 32n === 0xffffn)
    return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join('.')
  return `${(address >> 64n).toString(16)}::/64`
}

/**
 * Replaces the /64 network in a limiter key by its /48 network. Other keys are returned unchanged. One subscriber may
 * have a whole /48, and thus 65,536 networks with a /64.
 */
export function toNetworkKey(key: string): string {
  return key.replace(/[\da-f]{1,4}::\/64$/, '::/48')
}

/** Checks whether an address belongs to a network. */
export type Network = (address: Address) => boolean

/** Parses a network such as `10.0.0.0/8` or `fd00::/8`, or a single address. Returns `undefined` if it is invalid. */
export function parseNetwork(text: string): Network | undefined {
  const [, host = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const firstParse = parseWithoutPort(host)
  const bits = length === undefined ? 128 : Number(length) + (host.includes(':') ? 0 : 96)
  if (firstParse === undefined || bits > 128) return undefined
  return (address) => (firstParse ^ address) >> BigInt(128 - bits) === 0n
}

function parseWithoutPort(text: string): Address | undefined {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text)
}

/** Checks whether text is an IPv4 address without leading zeros. */
export function isIPv4(text: string): boolean {
  const addressParts = text.split('.')
  return addressParts.length === 4 && addressParts.every((part) => String(Number(part) & 255) === part)
}

function parseIPv4(text: string): Address | undefined {
  if (!isIPv4(text)) return undefined
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0xffffn)
}

/** Parses an IPv6 address. The `URL` class validates it and brings it into its shortest form. */
function parseIPv6(text: string): Address | undefined {
  const url = `http://[${text}]`
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined
  const shortAddress = new URL(url).hostname.slice(1, -1)
  const zeroGroups = '0:'.repeat(9 - shortAddress.split(':').length)
  const groups = shortAddress.replace('::', `:${zeroGroups}`).split(':')
  // The prefix `0x0` also works for an empty group.
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x0${group}`), 0n)
}
