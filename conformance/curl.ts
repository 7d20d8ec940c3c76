import { placeholders } from './secrets.ts'
import type { SentRequest } from './transcript.ts'

/** Where a shell is to put a key in for its placeholder. */
const inShell = new RegExp(`(${placeholders.key}|${placeholders.throttleKey})`.replaceAll('$', '\\$'))

/** The command that sends a request again from a POSIX shell, which puts the keys in from its environment. */
export function curl(baseUrl: string, { method, target, headers, body }: SentRequest): string {
  const words = [
    ...(method === 'GET' ? [] : ['-X', method]),
    quote(baseUrl + target),
    ...headers.flatMap(([name, value]) => ['-H', quote(value === '' ? `${name};` : `${name}: ${value}`)]),
    ...(method === 'GET' ? [] : ['--data-raw', quote(body ?? '')]),
  ]
  return ['curl', '-i', ...words].join(' ')
}

function quote(text: string): string {
  return text
    .split(inShell)
    .filter((part, n) => part !== '' || n === 0)
    .map((part) => (inShell.test(part) ? `"${part}"` : `'${part.replaceAll("'", "'\\''")}'`))
    .join('')
}
