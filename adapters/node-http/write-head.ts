import type { ServerResponse } from 'node:http'
import { http } from './http.ts'

const { prototype } = http.ServerResponse

/** Headers that are merged with earlier ones. Other headers replace earlier ones. */
const merged: ReadonlySet<string> = new Set(['cache-control', 'link', 'vary'])

/**
 * Sets the status and the headers of a response, before its body is written.
 *
 * The headers are set one by one if earlier middleware has set some, or has wrapped `writeHead`: on-headers before 1.1
 * (morgan 1.10, compression 1.8) reads a list of names and values as a list of pairs.
 *
 * @param rawHeaders Names and values, alternating.
 */
export function writeHead(res: ServerResponse, status: number, rawHeaders: readonly string[]): void {
  const isUntouched = res.writeHead === prototype.writeHead && res.getHeaderNames().length === 0
  if (isUntouched) {
    res.writeHead(status, rawHeaders as string[]) // Node only reads it
    return
  }
  res.statusCode = status
  setHeaders(res, rawHeaders)
}

/** Sets headers one by one, and merges them with earlier ones. `rawHeaders` are names and values, alternating. */
export function setHeaders(res: ServerResponse, rawHeaders: readonly string[]): void {
  const names = new Set<string>()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const value = rawHeaders[i + 1] ?? ''
    const key = name.toLowerCase()
    if (names.has(key)) res.appendHeader(name, value)
    else res.setHeader(name, merged.has(key) ? merge(key, res.getHeader(name), value) : value)
    names.add(key)
  }
}

/** Adds the missing items of a list to the value that earlier middleware has set. */
function merge(key: string, earlier: number | string | string[] | undefined, value: string): string {
  if (earlier === undefined) return value
  const before = Array.isArray(earlier) ? earlier.join(', ') : String(earlier)
  // A link may contain commas.
  if (key === 'link') return `${before}, ${value}`
  const items = (list: string) => list.split(',').map((item) => item.trim())
  const known = items(before.toLowerCase())
  return [before, ...items(value).filter((item) => !known.includes(item.toLowerCase()))].join(', ')
}
