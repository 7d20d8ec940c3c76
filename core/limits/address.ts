/** An IP address as 128 bits. An IPv4 address is its IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
export type Address = bigint

/** Maximum length of an address with brackets, zone and port. A longer text is not parsed. */
const maxLength = 100

/** Parses an address, also in brackets, with a zone, or with a port; undefined for other text. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > maxLength) return undefined
  const bare = text.replace(/^\[([^\]]*)\](?::\d+)?$|^(\d+\.[\d.]+):\d+$/, '$1$2')
  return parsePlain(bare.includes(':') ? bare.replace(/%.*$/, '') : bare)
}

/** Returns the bucket of an address: the IPv4 address, or the /64 of an IPv6 address, which one subscriber has. */
export function toBucket(address: Address): string {
  if (address >> 32n === 0xffffn)
    return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join('.')
  return `${(address >> 64n).toString(16)}::/64`
}

/**
 * Returns the key of a limiter that all /64 of one /48 share, for the key of one of them; otherwise the key itself. One
 * subscriber can have a whole /48, and so 65,536 of its /64.
 */
export function toNetworkKey(key: string): string {
  return key.replace(/[\da-f]{1,4}::\/64$/, '::/48')
}

/** Returns whether an address is in a network. */
export type Network = (address: Address) => boolean

/** Parses a network such as `10.0.0.0/8` or `fd00::/8`, or a single address; undefined for other text. */
export function parseNetwork(text: string): Network | undefined {
  const [, host = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const first = parsePlain(host)
  const bits = length === undefined ? 128 : Number(length) + (host.includes(':') ? 0 : 96)
  if (first === undefined || bits > 128) return undefined
  return (address) => (first ^ address) >> BigInt(128 - bits) === 0n
}

function parsePlain(text: string): Address | undefined {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text)
}

/** Returns whether a text is four numbers up to 255, without leading zeros. */
export function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => String(Number(part) & 255) === part)
}

function parseIPv4(text: string): Address | undefined {
  if (!isIPv4(text)) return undefined
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0xffffn)
}

/** The platform reads every spelling, and writes one: hexadecimal groups with at most one `::`. */
function parseIPv6(text: string): Address | undefined {
  const url = `http://[${text}]`
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined
  const short = new URL(url).hostname.slice(1, -1)
  const zeros = '0:'.repeat(9 - short.split(':').length)
  const groups = short.replace('::', `:${zeros}`).split(':')
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x0${group}`), 0n) // next to a "::" it may be empty
}
