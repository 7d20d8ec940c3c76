import { newKey, writeKeys } from '../server.mjs'

const unlimited = { plan: 'enterprise', limits: { minute: 1_000_000, day: 10_000_000 } } as const

export type CallerName = 'good' | 'warmup' | 'pages' | 'morePages' | 'bodies' | 'slow'

/** The plan of each caller, as the keys file names it. The well-behaved clients and the floods have different keys. */
const callers: Readonly<Record<CallerName, object>> = {
  good: { plan: 'business' },
  warmup: unlimited,
  pages: { plan: 'business' },
  morePages: unlimited,
  bodies: { plan: 'free' },
  slow: unlimited,
}

/** The server under attack, and the keys that it accepts. */
export interface Target {
  readonly port: number
  readonly keys: Readonly<Record<CallerName, string>>
  /** Right keys, which no request has used: the flood of guesses sends them. */
  readonly unused: readonly string[]
  /** Duration of the flood, in seconds. */
  readonly seconds: number
}

/** Writes a keys file with new keys into a folder. Returns the keys, and the path of the file. */
export function createKeys(folder: string): Pick<Target, 'keys' | 'unused'> & { readonly file: string } {
  const keys = Object.fromEntries(Object.keys(callers).map((id) => [id, newKey()])) as Target['keys'] // the same names
  const unused = Array.from({ length: 20 }, newKey)
  const file = writeKeys(folder, [
    ...Object.entries(callers).map(([id, plan]) => [id, keys[id as CallerName], plan] as const), // likewise
    ...unused.map((key, i) => [`unused-${i}`, key, { plan: 'free' }] as const),
  ])
  return { keys, unused, file }
}

/** Returns the head of a request, with the key of a caller if one is given. */
export function head(request: string, key?: string, ...lines: readonly string[]): string {
  const fields = [...(key === undefined ? [] : [`Authorization: Bearer ${key}`]), ...lines]
  return `${request} HTTP/1.1\r\nHost: x\r\n${fields.map((line) => `${line}\r\n`).join('')}\r\n`
}

/** Creates an animal. */
export async function createAnimal({ port, keys }: Target, name: string | undefined): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keys.morePages}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
  if (status !== 201) throw new Error(`the server does not store the animal: ${status}`)
}
