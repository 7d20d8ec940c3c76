import type { BanPolicy, Decision, Limit } from '../../core/index.ts'
import type { RedisClient } from './client.ts'
import { createDeadline } from './deadline.ts'
import { createPlaces } from './places.ts'
import type { Script } from './script.ts'

export interface Question {
  readonly key: string
  readonly limits: readonly Limit[]
  /** 1 charges a request, 0 peeks. */
  readonly cost: 0 | 1
  /** Refusals that were made without asking, and how long ago, in ms. */
  readonly refusedBefore: number
  readonly agoMs: number
}

export interface Answer {
  readonly decision: Decision
  /** How many refusals more start a ban; Infinity where none can. */
  readonly refusalsToBan: number
}

export interface AskOptions {
  readonly client: RedisClient
  readonly prefix: string
  readonly timeoutMs: number
  readonly maxAddresses: number
  readonly policy: BanPolicy | undefined
  /** Left out, Redis's own. */
  readonly clock: (() => number) | undefined
}

/** Asks Redis to decide. Rejects with what it, or its client, says is wrong, or when it has not answered in time. */
export function createAsk(options: AskOptions): (question: Question) => Promise<Answer> {
  const { client, prefix, timeoutMs, clock } = options
  const policy = policyText(options.policy)
  const placeOf = createPlaces(options.maxAddresses)
  const withDeadline = createDeadline(timeoutMs)

  return ({ key, limits, cost, refusedBefore, agoMs }) => {
    const { script, values, key: place } = placeOf(key)
    const numbers = [cost, refusedBefore, agoMs, clock?.() ?? ''].map(String)
    const args = ['1', prefix + place, limitsText(limits), policy, ...numbers, ...values]
    return withDeadline(evaluate(client, script, prefix + place, args).then(readAnswer))
  }
}

/** By its hash, which is short, unless Redis has not seen the script yet or has been restarted. */
async function evaluate(
  client: RedisClient,
  { text, sha1 }: Script,
  key: string,
  args: readonly string[],
): Promise<unknown> {
  try {
    return await client.send(['EVALSHA', sha1, ...args], key)
  } catch (error) {
    if (!String(error).includes('NOSCRIPT')) throw error
    return client.send(['EVAL', text, ...args], key)
  }
}

/** Whether an error says that Redis may not store more, because of its `maxmemory`. */
export function isOutOfMemory(error: unknown): boolean {
  return String(error).includes('OOM ')
}

function readAnswer(reply: unknown): Answer {
  const numbers = Array.isArray(reply) ? reply.map(Number) : []
  const [allowed, banned, limit, remaining, reset, waitMs, refusalsToBan] = numbers
  if (
    limit === undefined ||
    remaining === undefined ||
    reset === undefined ||
    waitMs === undefined ||
    numbers.some(Number.isNaN)
  )
    throw new Error(`Redis answered ${JSON.stringify(reply)} to the script`)
  return {
    decision: { allowed: allowed === 1, banned: banned === 1, limit, remaining, reset, waitMs },
    refusalsToBan: refusalsToBan || Infinity,
  }
}

export function limitsText(limits: readonly Limit[]): string {
  return limits.map(({ requests, windowMs }) => `${requests} ${windowMs}`).join(' ')
}

export function policyText(policy: BanPolicy | undefined): string {
  if (!policy) return ''
  const { refusals, withinMs, firstMs, longestMs, rememberMs } = policy
  return [refusals, withinMs, firstMs, longestMs, rememberMs].join(' ')
}
