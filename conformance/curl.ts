import { printableLines } from './report/printable.ts'
import { placeholders } from './secrets.ts'
import type { SentRequest } from './transcript/transcript.ts'

/** The placeholders, which the shell replaces with keys from its environment. */
const inShell = new RegExp(`(${placeholders.key}|${placeholders.throttleKey})`.replaceAll('$', '\\$'))

/** The name of a header (RFC 9110, section 5.6.2). Other text, such as `@file`, has another meaning for curl. */
const token = /^[\w!#$%&'*+.^`|~-]+$/
/** Characters that curl expands to several addresses, unless `-g` is given. */
const globs = /[[\]{}]/

/**
 * Returns the command that repeats a request in a POSIX shell, which takes the keys from its environment. The command
 * is safe for any request, also one of a transcript from elsewhere: the shell runs only curl, and curl reads no file.
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

/** Quotes a text for the shell. Control characters are escaped first, as a terminal acts on them before the shell. */
function quote(text: string): string {
  return printableLines(text)
    .split(inShell)
    .filter((part, n) => part !== '' || n === 0)
    .map((part) => (inShell.test(part) ? `"${part}"` : `'${part.replaceAll("'", "'\\''")}'`))
    .join('')
}
