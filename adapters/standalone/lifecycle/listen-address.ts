import type { ListenAddress } from '../cli/addresses.ts'

/** A listening socket that a supervisor passed to the process. */
export interface InheritedSocket {
  readonly kind: 'inherited'
  /** File descriptor number. */
  readonly fd: number
}

/** Loopback addresses, for URLs when a server listens on all addresses. */
const reachableHosts: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Formats a path's URL, as seen from this machine. For a Unix socket, only the socket is named. */
export function formatUrl(address: ListenAddress, path: string): string {
  if (address.kind === 'unix') return `unix:${address.path}`
  const { port } = address
  const host = reachableHosts[address.host] ?? address.host
  // IPv6 addresses are written in brackets, and a zone is escaped (RFC 3986, RFC 6874).
  const authority = host.includes(':') ? `[${host.replace('%', '%25')}]` : host
  return `http://${authority}:${port}${path}`
}

/** Formats `curl` commands that list animals and create one. The quotes work in `sh` and `cmd`. */
export function formatCurlCommands(
  key: string,
  target: string,
): { readonly list: string; readonly add: string } {
  const list = `curl -H "Authorization: Bearer ${key}" ${target}`
  const body = '"{\\"name\\":\\"Ada\\",\\"categoryId\\":1}"'
  return { list, add: `${list} -H "Content-Type: application/json" -d ${body}` }
}
