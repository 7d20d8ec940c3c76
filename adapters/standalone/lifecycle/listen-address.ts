import type { ListenAddress } from '../cli/addresses.ts'

/** A listening socket that the process got from its supervisor. */
export interface InheritedSocket {
  readonly kind: 'inherited'
  /** The number of the file descriptor. */
  readonly fd: number
}

/** An address that the machine itself can reach, for each one that stands for all addresses. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns the URL of a path on a server for this machine; for a Unix socket, only the socket. */
export function formatUrl(address: ListenAddress, path: string): string {
  if (address.kind === 'unix') return `unix:${address.path}`
  const { port } = address
  const host = reachable[address.host] ?? address.host
  // An IPv6 host stands in brackets, its zone escaped (RFC 3986, RFC 6874).
  const authority = host.includes(':') ? `[${host.replace('%', '%25')}]` : host
  return `http://${authority}:${port}${path}`
}

/** Returns the command lines that list the animals and add one, in quotes for sh and for cmd. */
export function formatCurlLines(
  key: string,
  target: string,
): { readonly list: string; readonly add: string } {
  const list = `curl -H "Authorization: Bearer ${key}" ${target}`
  const body = '"{\\"name\\":\\"Ada\\",\\"categoryId\\":1}"'
  return { list, add: `${list} -H "Content-Type: application/json" -d ${body}` }
}
