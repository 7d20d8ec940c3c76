import type { ServerResponse } from 'node:http'
import { http } from './http.ts'

const { prototype } = http.ServerResponse

/** Headers whose values are merged with those from earlier middleware. */
const mergedHeaders: ReadonlySet<string> = new Set(['cache-control', 'link', 'vary'])

/**
 * Sets a response's status and headers, before its body is written.
 *
 * Headers are set one by one if earlier middleware has set any, or has wrapped `writeHead`. The package on-headers
 * before 1.1 (in morgan 1.10 and compression 1.8) reads a flat list as pairs.
 */
export function writeHead(res: ServerResponse, status: number, rawHeaders: readonly string[]): void {
  const isUntouched = res.writeHead === prototype.writeHead && res.getHeaderNames().length === 0
  if (isUntouched) {
    res.writeHead(status, rawHeaders as string[]) // Node does not change the array
    return
  }
  res.statusCode = status
  setHeaders(res, rawHeaders)
}

/**
 * Sets headers. Values for `Cache-Control`, `Link` and `Vary` are merged with earlier ones, all others replace them.
 */
export function setHeaders(res: ServerResponse, rawHeaders: readonly string[]): void {
  const names = new Set<string>()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const value = rawHeaders[i + 1] ?? ''
    const key = name.toLowerCase()
    if (names.has(key)) res.appendHeader(name, value)
    else res.setHeader(name, mergedHeaders.has(key) ? mergeValues(key, res.getHeader(name), value) : value)
    names.add(key)
  }
}

/** Appends the items that the header's earlier value does not contain. */
function mergeValues(key: string, earlier: number | string | string[] | undefined, value: string): string {
  if (earlier === undefined) return value
  const before = Array.isArray(earlier) ? earlier.join(', ') : String(earlier)
  // A link target may contain commas.
  if (key === 'link') return `${before}, ${value}`
  const items = (list: string) => list.split(',').map((item) => item.trim())
  const known = items(before.toLowerCase())
  return [before, ...items(value).filter((item) => !known.includes(item.toLowerCase()))].join(', ')
}
