/** An IP address as 128 bits. An IPv4 address is its IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
export type Address = bigint

const mapped = 0xffffn << 32n

/** More characters than any address has with brackets, zone and port. A longer text is not parsed. */
const maxLength = 100

/** Parses an address, also in brackets, with a zone, or with a port; undefined for other text. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > maxLength) return undefined
  const bare = text.replace(/^\[([^\]]*)\](?::\d+)?$|^(\d+\.[\d.]+):\d+$/, '$1$2')
  return parsePlain(bare.includes(':') ? bare.replace(/%.*$/, '') : bare)
}

/** Returns the name of the bucket of an address: all of an IPv4 address, the /64 of an IPv6 address, which one subscriber has at least. */
export function bucketOf(address: Address): string {
  if (address >> 32n === 0xffffn)
    return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join('.')
  return `${(address >> 64n).toString(16)}::/64`
}

/** A range of addresses. */
export interface Network {
  readonly first: Address
  readonly bits: number
}

/** Parses a network such as `10.0.0.0/8` or `fd00::/8`, or a single address; undefined for other text. */
export function parseNetwork(text: string): Network | undefined {
  const [, host = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const first = parsePlain(host)
  const bits = length === undefined ? 128 : Number(length) + (host.includes(':') ? 0 : 96)
  return first !== undefined && bits <= 128 ? { first, bits } : undefined
}

/** Returns whether an address is in a network. */
export function contains({ first, bits }: Network, address: Address): boolean {
  const rest = BigInt(128 - bits)
  return first >> rest === address >> rest
}

function parsePlain(text: string): Address | undefined {
  if (text.includes(':')) return parseIPv6(text)
  const bits = parseIPv4(text)
  return bits === undefined ? undefined : mapped | bits
}

function parseIPv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return undefined
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

function parseIPv6(text: string): bigint | undefined {
  const [head = '', tail, ...more] = text.split('::')
  const left = parseGroups(head, tail === undefined)
  const right = parseGroups(tail ?? '', true)
  if (!left || !right || more.length > 0) return undefined
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...left, ...new Array<bigint>(missing).fill(0n), ...right]
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n)
}

/** Parses the 16-bit groups on one side of a `::`. The last two of an address may be written as an IPv4 address. */
function parseGroups(text: string, endsAddress: boolean): bigint[] | undefined {
  const groups: bigint[] = []
  const parts = text === '' ? [] : text.split(':')
  for (const [i, part] of parts.entries()) {
    const isLast = endsAddress && i === parts.length - 1
    const ipv4 = isLast ? parseIPv4(part) : undefined
    if (ipv4 !== undefined) groups.push(ipv4 >> 16n, ipv4 & 0xffffn)
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`))
    else return undefined
  }
  return groups
}
