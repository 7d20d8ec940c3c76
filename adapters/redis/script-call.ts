import { type BanPolicy, type Decision, type Limit, sha256 } from '../../core/index.ts'
import { networkOf } from '../../core/internal.ts'
import type { RedisClient } from './client.ts'
import { script, scriptHash } from './script.ts'

/** Whether a limiter's key belongs to an anonymous client. */
export function isAddress(key: string): boolean {
  return key.startsWith('address:')
}

/**
 * Returns the key in Redis, without its prefix, of the string that holds the account of a limiter's key.
 *
 * A caller with a key has a string of its own. Addresses share 65,536 strings by their hash, an IPv6 address by that of
 * its /48. So what Redis stores of addresses is bounded, at 20 MiB, and no server needs to count them.
 */
export function placeOf(key: string): string {
  return isAddress(key) ? `address:${sha256(networkOf(key)).slice(0, 4)}` : key
}

/** Rejections that a process made since it last called Redis. */
export interface EarlierRejections {
  /** How many of them count towards a ban. */
  readonly count: number
  /** How long ago the last one was, counted or not, in milliseconds. */
  readonly agoMs: number
}

/** What Redis decided. */
export interface ScriptResult {
  readonly decision: Decision
  /** How many more rejections begin a ban; Infinity where none can. */
  readonly rejectionsToBan: number
  /** For how many more milliseconds rejections do not count towards a ban. */
  readonly uncountedMs: number
}

/**
 * Has Redis decide a request, and rejects with the error of Redis or of its client. A `cost` of 1 charges the request,
 * 0 peeks; `earlier` are rejections that this process made by itself.
 */
export type ScriptCall = (
  key: string,
  limits: readonly Limit[],
  cost: 0 | 1,
  earlier: EarlierRejections | undefined,
) => Promise<ScriptResult>

/** Creates a call of the script. Without a clock, which returns milliseconds since the epoch, Redis uses its own. */
export function createScriptCall(
  client: RedisClient,
  prefix: string,
  policy: BanPolicy | undefined,
  clock: (() => number) | undefined,
): ScriptCall {
  const bans = policyText(policy)
  return async (key, limits, cost, earlier) => {
    const place = prefix + placeOf(key)
    const numbers = [cost, earlier?.count ?? 0, earlier?.agoMs ?? '', clock?.() ?? ''].map(String)
    return readResult(await evaluate(client, place, ['1', place, limitsText(limits), bans, ...numbers]))
  }
}

/** Names the script by its hash, which is short. A Redis that does not know it, such as a new one, is sent its text. */
async function evaluate(client: RedisClient, key: string, args: readonly string[]): Promise<unknown> {
  try {
    return await client.send(['EVALSHA', await scriptHash(), ...args], key)
  } catch (error) {
    if (!String(error).includes('NOSCRIPT')) throw error
    return client.send(['EVAL', script, ...args], key)
  }
}

function readResult(value: unknown): ScriptResult {
  const numbers = Array.isArray(value) ? value.map(Number) : []
  if (numbers.length < 6 || numbers.some(Number.isNaN))
    throw new Error(`Redis returned ${JSON.stringify(value)} from the script`)
  const [allowed, banned, limit = 0, remaining = 0, reset = 0, waitMs = 0, rejectionsToBan, uncountedMs = 0] =
    numbers
  return {
    decision: { allowed: allowed === 1, banned: banned === 1, limit, remaining, reset, waitMs },
    rejectionsToBan: rejectionsToBan || Infinity,
    uncountedMs,
  }
}

/** Writes limits as the script reads them. */
export function limitsText(limits: readonly Limit[]): string {
  return limits.map(({ requests, windowMs }) => `${requests} ${windowMs}`).join(' ')
}

/** Writes a policy as the script reads it. */
export function policyText(policy: BanPolicy | undefined): string {
  if (!policy) return ''
  const { refusals, withinMs, firstMs, longestMs, rememberMs } = policy
  return [refusals, withinMs, firstMs, longestMs, rememberMs].join(' ')
}
