import { placeholders, writeCredential } from '../run/secrets.ts'
import { toPrintable, toPrintableLines } from '../transcript/printable.ts'
import type { SentRequest } from '../transcript/transcript.ts'

/** The shell that a command is quoted for. `cmd` is the Windows Command Prompt. */
export type Shell = 'posix' | 'cmd'

export function detectShell(): Shell {
  return typeof process === 'object' && process.platform === 'win32' ? 'cmd' : 'posix'
}

/** A transcript's value for Basic credentials. curl encodes the key, which is the user name. */
const [basicCredentials = ''] = writeCredential('other-scheme').headers.map(([, value]) => value)

/** A header name (RFC 9110, section 5.6.2). curl gives other text a meaning, such as `@file`. */
const headerNamePattern = /^[\w!#$%&'*+.^`|~-]+$/
/** Characters that curl expands to several URLs, unless `-g` is set. */
const globPattern = /[[\]{}]/

/**
 * Formats a request as a curl command. The command is safe even if the transcript is hostile: the shell only runs curl,
 * and curl reads no file.
 *
 * @param variables Other placeholders to insert as shell variables, such as `$TENANT`. They must not come from a
 * transcript. Otherwise, a hostile transcript could make curl send any environment variable.
 * @param count The number of times to send the request in parallel, by default 1.
 */
export function formatCurl(
  baseUrl: string,
  { method, target, headers, body }: SentRequest,
  variables: readonly string[] = [],
  shell: Shell = detectShell(),
  count = 1,
): string {
  const address = baseUrl + target
  const isParallel = count > 1 && !globPattern.test(address)
  // curl expands the range to several addresses, and sends no fragment
  const url = isParallel ? `${address}#[1-${count}]` : address
  const quote = (text: string): string => quoteArgument(text, variables, shell)
  const curlArguments = [
    ...(globPattern.test(address) ? ['-g'] : []),
    ...(isParallel ? ['-Z', '--parallel-immediate'] : []),
    ...(method === 'GET' ? [] : ['-X', method]),
    quote(url),
    ...headers
      .filter(([name]) => headerNamePattern.test(name))
      .flatMap(([name, value]) =>
        value === basicCredentials
          ? ['-u', quote(basicCredentials.slice('Basic '.length))]
          : ['-H', quote(value === '' ? `${name};` : `${name}: ${value}`)],
      ),
    // Without a body, curl sends `Content-Length: 0`. Unlike `--data`, `--data-raw` does not read files.
    ...(method === 'GET' ? [] : ['--data-raw', quote(body ?? '')]),
  ]
  return ['curl', '-i', ...curlArguments].join(' ')
}

/**
 * Quotes an argument. The shell expands variables and takes other text literally. Control characters are escaped, as a
 * terminal reacts to them before the shell does.
 */
function quoteArgument(text: string, variables: readonly string[], shell: Shell): string {
  const names = [...placeholders, ...variables].map(
    (variable) => variable.replace(/[${}]/g, '\\$&') + (/^\$\w/.test(variable) ? '(?!\\w)' : ''),
  )
  const printableText = shell === 'posix' ? toPrintableLines(text) : toPrintable(text)
  const textParts = printableText.split(new RegExp(`(${names.join('|')})`))
  return shell === 'posix' ? quoteForPosix(textParts) : quoteForCmd(textParts)
}

function quoteForPosix(parts: readonly string[]): string {
  const quotedWords = parts
    .map((part, n) => (n % 2 === 1 ? `"${part}"` : part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`))
    .join('')
  return quotedWords === '' ? "''" : quotedWords
}

/**
 * Quotes for the Command Prompt and Microsoft's C library. `""` is a quote to both, backslashes only matter before a
 * quote, and a `%` after `^` outside quotes starts no variable.
 */
function quoteForCmd(parts: readonly string[]): string {
  const quotedWords = parts.map((part, n) => {
    if (n % 2 === 1) return `%${part.replace(/[${}]/g, '')}%`
    return part.replace(/(?<!\\)(\\*)"/g, '$1$1""').replace(/(?<!\\)(\\*)%/g, '$1$1"^%"')
  })
  return `"${quotedWords.join('').replace(/(?<!\\)\\+$/, '$&$&')}"`
}
