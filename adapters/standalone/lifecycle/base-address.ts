/** For each address that stands for all addresses of a machine, one that the machine itself can reach. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns the base address of a server: an IPv6 host in brackets, its zone escaped (RFC 3986, RFC 6874). */
export function baseAddress(host: string, port: number, basePath: string): string {
  const authority = host.includes(':') ? `[${host.replace('%', '%25')}]` : host
  return `http://${authority}:${port}${basePath}`
}

/** Returns the base address under which this machine itself reaches the server. */
export function reachableAddress(host: string, port: number, basePath: string): string {
  return baseAddress(reachable[host] ?? host, port, basePath)
}
