import { printableLines } from './report/printable.ts'
import { placeholders } from './secrets.ts'
import type { SentRequest } from './transcript/transcript.ts'

/** Where a shell is to put a key in for its placeholder. */
const inShell = new RegExp(`(${placeholders.key}|${placeholders.throttleKey})`.replaceAll('$', '\\$'))

/** A header's name (RFC 9110, section 5.6.2); curl would read another, such as `@file`, as something else. */
const token = /^[\w!#$%&'*+.^`|~-]+$/
/** What curl takes in an address for a set or a range of addresses, unless it is told otherwise. */
const globs = /[[\]{}]/

/**
 * The command that sends a request again from a POSIX shell, which puts the keys in from its environment. Whoever wrote
 * the request, the shell runs nothing else, and curl reads no file.
 */
export function curl(baseUrl: string, { method, target, headers, body }: SentRequest): string {
  const url = baseUrl + target
  const words = [
    ...(globs.test(url) ? ['-g'] : []),
    ...(method === 'GET' ? [] : ['-X', quoteUnlessPlain(method)]),
    ...(url.startsWith('-') ? ['--url'] : []),
    quote(url),
    ...headers
      .filter(([name]) => token.test(name))
      .flatMap(([name, value]) => ['-H', quote(value === '' ? `${name};` : `${name}: ${value}`)]),
    ...(method === 'GET' ? [] : ['--data-raw', quote(body ?? '')]),
  ]
  return ['curl', '-i', ...words].join(' ')
}

function quoteUnlessPlain(word: string): string {
  return /^[A-Z]+$/.test(word) ? word : quote(word)
}

/** In quotes, and without what steers a terminal: a pasted command is read by it before the shell is. */
function quote(text: string): string {
  return printableLines(text)
    .split(inShell)
    .filter((part, n) => part !== '' || n === 0)
    .map((part) => (inShell.test(part) ? `"${part}"` : `'${part.replaceAll("'", "'\\''")}'`))
    .join('')
}
