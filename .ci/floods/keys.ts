import { createHash, randomBytes } from 'node:crypto'
import { type CallerName, callers, type Target, unusedKeys } from './target.ts'

/** Returns new keys, and a keys file with them. */
export function createKeys(): Pick<Target, 'keys' | 'unused'> & { readonly file: string } {
  const names = Object.keys(callers) as CallerName[] // the table has no other keys
  const keys = Object.fromEntries(names.map((name) => [name, token()])) as Record<CallerName, string> // likewise
  const unused = Array.from({ length: unusedKeys }, token)
  const records = [
    ...names.map((name) => ({ id: name, sha256: sha256(keys[name]), ...callers[name] })),
    ...unused.map((key, i) => ({ id: `unused-${i}`, sha256: sha256(key), plan: 'free' })),
  ]
  return { keys, unused, file: JSON.stringify({ keys: records }) }
}

function token(): string {
  return randomBytes(24).toString('base64url')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
