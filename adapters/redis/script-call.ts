import { type BanPolicy, type Decision, type Limit, sha256 } from '../../core/index.ts'
import { inFlightMs, toNetworkKey } from '../../core/internal.ts'
import type { RedisClient } from './client.ts'
import { library } from './library.ts'

/** Returns true if a key of a limiter belongs to an anonymous client. */
export function isAddress(key: string): boolean {
  return key.startsWith('address:')
}

/**
 * Returns the name of an account in Redis, without the prefix.
 *
 * Each caller has an account. Client addresses share 65,536 accounts by their hash, an IPv6 address by the hash of its
 * /48. So addresses take at most 20 MiB in Redis, and no server has to count them.
 */
export function toAccountName(key: string): string {
  return isAddress(key) ? `address:${sha256(toNetworkKey(key)).slice(0, 4)}` : key
}

/** Rejections by a process since its last call of Redis. */
export interface EarlierRejections {
  /** Number of rejections that count towards a ban. */
  readonly count: number
  /** Time since the last rejection, counted or not, in milliseconds. */
  readonly agoMs: number
}

/** The result of the script. */
export interface ScriptResult {
  readonly decision: Decision
  /** Number of further rejections that causes a ban; Infinity without bans. */
  readonly rejectionsToBan: number
  /** Time until rejections count towards a ban again, in milliseconds. */
  readonly uncountedMs: number
}

/**
 * Runs the script that decides about a request. Rejects with the error of Redis or of its client. With a `cost` of 1 it
 * charges the request, with 0 it peeks. `earlier` contains the rejections by this process.
 */
export type ScriptCall = (
  key: string,
  limits: readonly Limit[],
  cost: 0 | 1,
  earlier: EarlierRejections | undefined,
) => Promise<ScriptResult>

/**
 * Decides one request.
 *
 * KEYS: the string that holds the account, in MessagePack. Any other value counts as none and is replaced. ARGV: the
 * arguments of `ScriptCall` in JSON, the `policy` of bans, if there is one, and the time `now`, unless Redis measures
 * the time.
 *
 * Returns: allowed, banned, limit, remaining, reset, wait; the number of further rejections that causes a ban (0
 * without bans); and the time in milliseconds until rejections count again.
 *
 * A Redis at its `maxmemory` also stores the account, since the number of accounts is bounded: Redis accepts any write
 * of a script that has deleted something.
 */
const script: string = `${library}
local call = cjson.decode(ARGV[1])
local limits, policy, earlier, now = call.limits, call.policy, call.earlier, call.now
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
if earlier then earlier.at = now - earlier.agoMs end

local before = redis.pcall('GET', KEYS[1])
if type(before) == 'table' and not string.find(before.err, 'WRONGTYPE') then return before end
local is_read, account = pcall(cmsgpack.unpack, before)
if not is_read or not is_account(account) then account = create_account(limits, now) end
local decision
if call.cost == 0 then decision = peek(account, limits, now)
else decision = decide(account, limits, policy, now, earlier) end

local after, ends = cmsgpack.pack(account), account[fields.endsAt]
local function set()
  return redis.pcall('SET', KEYS[1], after, 'PX', string.format('%.0f', ends - now))
end

if ends <= now then
  if before then redis.call('DEL', KEYS[1]) end
elseif after ~= before and set().err then
  redis.call('DEL', KEYS[1])
  local result = set()
  if result.err then return result end
end

local until_ban = policy and not decision.banned and policy.rejections - rejections_of(account) or 0
local uncounted = math.max(0, account[fields.streakAt] + ${inFlightMs} - now)
return { decision.allowed and 1 or 0, decision.banned and 1 or 0, decision.limit, decision.remaining, decision.reset,
  decision.wait, until_ban, uncounted }
`

/** Creates a call of the script. Without a clock, which returns milliseconds since the epoch, Redis uses its own. */
export function createScriptCall(
  client: RedisClient,
  prefix: string,
  policy: BanPolicy | undefined,
  clock: (() => number) | undefined,
): ScriptCall {
  let hash: string | undefined
  sha1(script).then(
    (computed) => {
      hash = computed
    },
    () => {}, // a platform without SHA-1 sends the text each time
  )

  /** Names the script by its hash. Sends the text if Redis does not know it, and until the hash is computed. */
  async function evaluate(key: string, args: readonly string[]): Promise<unknown> {
    try {
      if (hash !== undefined) return await client.send(['EVALSHA', hash, ...args], key)
    } catch (error) {
      if (!String(error).includes('NOSCRIPT')) throw error
    }
    return client.send(['EVAL', script, ...args], key)
  }

  return async (key, limits, cost, earlier) => {
    const place = prefix + toAccountName(key)
    const input = JSON.stringify({ limits, policy, cost, earlier, now: clock?.() })
    return readResult(await evaluate(place, ['1', place, input]))
  }
}

/** Returns the SHA-1 of a text in hex, which names it in Redis once it has run. */
async function sha1(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
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
