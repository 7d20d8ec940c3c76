import { carry, placeholders } from '../run/secrets.ts'
import { printable, printableLines } from '../transcript/printable.ts'
import type { SentRequest } from '../transcript/transcript.ts'

/** The shells that commands are written for: POSIX shells, and the Command Prompt of Windows. */
export type Shell = 'posix' | 'cmd'

/** Returns the shell of this platform. */
export function hostShell(): Shell {
  return typeof process === 'object' && process.platform === 'win32' ? 'cmd' : 'posix'
}

/** The form of the scheme Basic in a transcript. Its user, which curl encodes, is the key. */
const [basic = ''] = carry('other-scheme').headers.map(([, value]) => value)

/** The name of a header (RFC 9110, section 5.6.2). Other text, such as `@file`, has another meaning for curl. */
const token = /^[\w!#$%&'*+.^`|~-]+$/
/** Characters that curl expands to several addresses, unless `-g` is given. */
const globs = /[[\]{}]/

/**
 * Returns the command that repeats a request in a shell, which takes the keys from its environment. The command is
 * safe for any request, also one of a transcript from elsewhere: the shell runs only curl, and curl reads no file.
 *
 * @param variables Other variables that the shell may replace, such as `$TENANT`. They must not come from a transcript:
 * it could name any variable, and send its value to the address in the transcript.
 */
export function curl(
  baseUrl: string,
  { method, target, headers, body }: SentRequest,
  variables: readonly string[] = [],
  shell: Shell = hostShell(),
): string {
  const url = baseUrl + target
  const quote = (text: string): string => quoted(text, variables, shell)
  const words = [
    ...(globs.test(url) ? ['-g'] : []),
    ...(method === 'GET' ? [] : ['-X', method]),
    quote(url),
    ...headers
      .filter(([name]) => token.test(name))
      .flatMap(([name, value]) =>
        value === basic
          ? ['-u', quote(basic.slice('Basic '.length))]
          : ['-H', quote(value === '' ? `${name};` : `${name}: ${value}`)],
      ),
    // a POST without a body has a Content-Length of 0
    ...(method === 'GET' ? [] : ['--data-raw', quote(body ?? '')]),
  ]
  return ['curl', '-i', ...words].join(' ')
}

/**
 * Quotes a text as one word for a shell, which replaces the variables in it. Control characters are escaped first, as a
 * terminal acts on them before the shell.
 */
function quoted(text: string, variables: readonly string[], shell: Shell): string {
  const names = [...placeholders, ...variables].map(
    (variable) => variable.replace(/[${}]/g, '\\$&') + (/^\$\w/.test(variable) ? '(?!\\w)' : ''),
  )
  const shown = shell === 'posix' ? printableLines(text) : printable(text)
  const parts = shown.split(new RegExp(`(${names.join('|')})`))
  return shell === 'posix' ? inPosix(parts) : inCommandPrompt(parts)
}

/** Joins literal texts, and variables at the odd places. */
function inPosix(parts: readonly string[]): string {
  const words = parts
    .map((part, n) => (n % 2 === 1 ? `"${part}"` : part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`))
    .join('')
  return words === '' ? "''" : words
}

/**
 * The same for the Command Prompt, and for the way Microsoft's C library splits a command line: `""` is a quote for
 * both; backslashes count before a quote only; a `%` outside of the quotes, behind `^`, begins no variable.
 */
function inCommandPrompt(parts: readonly string[]): string {
  const words = parts.map((part, n) => {
    if (n % 2 === 1) return `%${part.replace(/[${}]/g, '')}%`
    return part.replace(/(\\*)"/g, '$1$1""').replace(/(\\*)%/g, '$1$1"^%"')
  })
  return `"${words.join('').replace(/\\+$/, '$&$&')}"`
}
