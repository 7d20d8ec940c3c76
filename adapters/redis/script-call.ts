import { type BanPolicy, type Decision, type Limit, sha256 } from '../../core/index.ts'
import { networkOf } from '../../core/internal.ts'
import { createDeadline } from '../breaker/deadline.ts'
import type { RedisClient } from './client.ts'
import { addressScript, keyScript, type Script } from './script.ts'

/** In how many turns of the event loop the time of a call passes. */
const turnsPerCall = 10

/** Where Redis stores an account, and the script that decides there. */
export interface Place {
  /** The key of the string, without the prefix. */
  readonly key: string
  readonly script: Script
  /** Further arguments of the script: for an address, its name in the string, and for how many names the string has room. */
  readonly values: readonly string[]
}

/** How many addresses one string holds. More would fill evenly, but each request reads and writes the whole string. */
const addressesPerString = 16

/** Whether a limiter's key belongs to an anonymous client. */
export function isAddress(key: string): boolean {
  return key.startsWith('address:')
}

/**
 * Returns a function that finds the place of a limiter's key.
 *
 * A caller with a key has a string of its own. Addresses share a fixed number of strings, so `maxAddresses` bounds what
 * Redis stores, and no server needs to count them. A SHA-256 selects its string and its name in it: the string by the
 * address or, of IPv6, by its /48, so that nobody can fill more than one string from a /48.
 */
export function createPlaces(maxAddresses: number): (key: string) => Place {
  const room = String(Math.min(maxAddresses, addressesPerString))
  const strings = Math.max(1, Math.ceil(maxAddresses / addressesPerString))

  return (key) => {
    if (!isAddress(key)) return { key, script: keyScript, values: [] }
    const string = Number.parseInt(sha256(networkOf(key)).slice(0, 8), 16) % strings
    const name = sha256(key).slice(8, 20)
    return { key: `addresses:${string}`, script: addressScript, values: [name, room] }
  }
}

/** What Redis is to decide. */
export interface ScriptInput {
  readonly key: string
  readonly limits: readonly Limit[]
  /** 1 charges a request, 0 peeks. */
  readonly cost: 0 | 1
  /** Rejections that this process made by itself; undefined for none. */
  readonly earlier: EarlierRejections | undefined
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

/** How `createScriptCall` is set up. */
export interface ScriptCallOptions {
  readonly client: RedisClient
  readonly prefix: string
  readonly timeoutMs: number
  readonly placeOf: (key: string) => Place
  readonly policy: BanPolicy | undefined
  /** Milliseconds since the epoch; undefined for the clock of Redis. */
  readonly clock: (() => number) | undefined
}

/**
 * Creates the function that has Redis decide a request. It rejects with the error of Redis or of its client, and when
 * the time is over.
 */
export function createScriptCall(options: ScriptCallOptions): (input: ScriptInput) => Promise<ScriptResult> {
  const { client, prefix, timeoutMs, placeOf, clock } = options
  const policy = policyText(options.policy)
  const deadline = createDeadline({
    stepMs: timeoutMs / turnsPerCall,
    turns: turnsPerCall,
    overdue: () => new Error(`Redis did not respond within ${timeoutMs} ms`),
  })

  return ({ key, limits, cost, earlier }) => {
    const { script, values, key: place } = placeOf(key)
    const numbers = [cost, earlier?.count ?? 0, earlier?.agoMs ?? '', clock?.() ?? ''].map(String)
    const args = ['1', prefix + place, limitsText(limits), policy, ...numbers, ...values]
    return deadline.limit(evaluate(client, script, prefix + place, args).then(readResult))
  }
}

/** Names the script by its hash, which is short. A Redis that does not know it, as after a restart, is sent its text. */
async function evaluate(
  client: RedisClient,
  { text, hash }: Script,
  key: string,
  args: readonly string[],
): Promise<unknown> {
  try {
    return await client.send(['EVALSHA', await hash(), ...args], key)
  } catch (error) {
    if (!String(error).includes('NOSCRIPT')) throw error
    return client.send(['EVAL', text, ...args], key)
  }
}

/** Whether an error means that Redis may store no more, because of its `maxmemory`. */
export function isOutOfMemory(error: unknown): boolean {
  return String(error).includes('OOM ')
}

function readResult(value: unknown): ScriptResult {
  const numbers = Array.isArray(value) ? value.map(Number) : []
  const [allowed, banned, limit, remaining, reset, waitMs, rejectionsToBan, uncountedMs = 0] = numbers
  if (
    limit === undefined ||
    remaining === undefined ||
    reset === undefined ||
    waitMs === undefined ||
    numbers.some(Number.isNaN)
  )
    throw new Error(`Redis returned ${JSON.stringify(value)} from the script`)
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
