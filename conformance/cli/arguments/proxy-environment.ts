import type { RunOptions } from '../../index.ts'

/** The variables of the program's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the proxy that the environment has for a base address: `https_proxy` or `http_proxy` by its scheme, unless
 * `no_proxy` has its host. A name in lower case wins over the same name in upper case.
 */
export function proxyFor(baseUrl: string, env: Environment): Pick<RunOptions, 'proxy'> {
  if (!URL.canParse(baseUrl)) return {}
  const url = new URL(baseUrl)
  const scheme = url.protocol.slice(0, -1)
  const proxy = variable(`${scheme}_proxy`, env)
  if (!proxy || bypassesProxy(url, variable('no_proxy', env) ?? '')) return {}
  return { proxy }
}

function variable(name: string, env: Environment): string | undefined {
  return env[name] ?? env[name.toUpperCase()]
}

/**
 * Whether a list such as `NO_PROXY` has the host of an address. Its entries, separated by commas or blanks, are as those of
 * curl: `*`, a name (with all names below it, with or without a dot before it), an IP address, or a network such as
 * `10.0.0.0/8`. An entry with a port, such as `example.com:8080`, counts for that port alone.
 */
function bypassesProxy(url: URL, list: string): boolean {
  const host = withoutDot(url.hostname.toLowerCase())
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => covers(entry, host, port))
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const address = addressOf(host)
  // an IPv6 address without brackets has no port
  const [, name = entry, entryPort] =
    addressOf(entry) === undefined ? (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []) : []
  if (entryPort !== undefined && entryPort !== port) return false
  if (address !== undefined) return networkHas(name, address)
  const suffix = withoutDot(name.replace(/^\.+/, ''))
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`))
}

function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name
}

/** An IP address as a number, and its width in bits. */
interface Address {
  readonly bits: bigint
  readonly width: 32 | 128
}

/** Whether a network, or a single address, has an address. */
function networkHas(network: string, { bits, width }: Address): boolean {
  const [first = '', length] = network.split('/')
  const base = addressOf(first)
  if (base === undefined || base.width !== width || (length !== undefined && !/^\d{1,3}$/.test(length)))
    return false
  const ignored = BigInt(Math.max(0, width - Number(length ?? width)))
  return base.bits >> ignored === bits >> ignored
}

/** Reads an IPv4 or IPv6 address, with or without brackets; `undefined` for anything else. */
function addressOf(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(bare))
    return { bits: joined(bare.split('.').map(Number), 8n), width: 32 }
  if (!bare.includes(':') || !URL.canParse(`http://[${bare}]/`)) return undefined
  // a URL has an IPv6 address in its shortest form, without an IPv4 part
  const [head = '', tail] = new URL(`http://[${bare}]/`).hostname.slice(1, -1).split('::')
  const [front, back] = [head, tail ?? ''].map((part) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)),
  )
  const zeros = Array<number>(8 - (front?.length ?? 0) - (back?.length ?? 0)).fill(0)
  return { bits: joined([...(front ?? []), ...zeros, ...(back ?? [])], 16n), width: 128 }
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((bits, part) => (bits << width) | BigInt(part), 0n)
}
