/** Addresses that mean all of a machine's, and one of them that can be reached from it. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The base address of a server: an IPv6 host in brackets, its zone escaped (RFC 3986, RFC 6874). */
export function baseAddress(host: string, port: number, basePath: string): string {
  const authority = host.includes(':') ? `[${host.replace('%', '%25')}]` : host
  return `http://${authority}:${port}${basePath}`
}

/** The same address as far as this machine itself can reach it. */
export function reachableAddress(host: string, port: number, basePath: string): string {
  return baseAddress(reachable[host] ?? host, port, basePath)
}
