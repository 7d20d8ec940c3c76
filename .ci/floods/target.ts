/** The callers of the well-behaved clients and of the floods. Each has a different key. */
export type CallerName = keyof typeof callers

/** The plan of each caller, as the keys file names it. */
export const callers = {
  good: { plan: 'business' },
  free: { plan: 'free' },
  warmup: { plan: 'enterprise', limits: { minute: 1_000_000, day: 10_000_000 } },
  pages: { plan: 'business' },
  morePages: { plan: 'enterprise', limits: { minute: 1_000_000, day: 10_000_000 } },
  bodies: { plan: 'free' },
  shapes: { plan: 'business' },
  slow: { plan: 'enterprise', limits: { minute: 1_000_000, day: 10_000_000 } },
} as const

/** How many right keys, which no request has used, the flood of guesses sends. */
export const unusedKeys = 20

/** The server under attack, and the keys that it accepts. */
export interface Target {
  readonly port: number
  readonly keys: Readonly<Record<CallerName, string>>
  readonly unused: readonly string[]
  /** How long the flood lasts, in seconds. */
  readonly seconds: number
}

/** Returns the head of a request, with the key of a caller where one is given. */
export function head(request: string, key?: string, ...lines: readonly string[]): string {
  const fields = [...(key === undefined ? [] : [`Authorization: Bearer ${key}`]), ...lines]
  return `${request} HTTP/1.1\r\nHost: x\r\n${fields.map((line) => `${line}\r\n`).join('')}\r\n`
}
