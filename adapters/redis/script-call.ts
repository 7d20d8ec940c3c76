import { type BanPolicy, type Decision, type Limit, sha256 } from '../../core/index.ts'
import { toNetworkKey } from '../../core/internal.ts'
import type { RedisClient } from './client.ts'
import { luaLibrary } from './library.ts'

/** Whether a limiter's key identifies an anonymous client by its address. */
export function isAddressKey(key: string): boolean {
  return key.startsWith('address:')
}

/**
 * Returns the name under which Redis stores a key's account, without the prefix.
 *
 * Each caller has an account. Client addresses share 65,536 accounts by their hash. For IPv6, this is the hash of the
 * /48 network. These accounts take at most 20 MiB, so no server has to count them.
 */
export function toAccountName(key: string): string {
  return isAddressKey(key) ? `address:${sha256(toNetworkKey(key)).slice(0, 4)}` : key
}

/**
 * Runs the script that decides a request. `cost` is 1 to charge the request, or 0 to only read. Rejects with an error
 * from Redis or its client.
 */
export type ScriptCall = (key: string, limits: readonly Limit[], cost: 0 | 1) => Promise<Decision>

/**
 * The script for one decision.
 *
 * `KEYS[1]` names the string with the account, in MessagePack. Any other value counts as no account and is replaced.
 * `ARGV[1]` contains the limits, the cost, the ban policy and the time in JSON. Without a time, the script uses the
 * Redis clock. The result is the array allowed, banned, limit, remaining, reset, wait.
 *
 * When Redis has reached its `maxmemory`, it still accepts any write from a script that has deleted something. The
 * script uses this to store accounts, whose number is bounded.
 */
const limiterScript: string = `${luaLibrary}
local call = cjson.decode(ARGV[1])
local limits, now = call.limits, call.now
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local before = redis.pcall('GET', KEYS[1])
if type(before) == 'table' and not string.find(before.err, 'WRONGTYPE') then return before end
local is_read, account = pcall(cmsgpack.unpack, before)
if not is_read or not is_account(account) then account = create_account(limits, now) end
local decision
if call.cost == 0 then decision = peek(account, limits, now)
else decision = decide(account, limits, call.policy, now) end

local after, ends = cmsgpack.pack(account), account[fields.expiresAt]
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

return { decision.allowed and 1 or 0, decision.banned and 1 or 0, decision.limit, decision.remaining, decision.reset,
  decision.wait }
`

/**
 * Creates a function that decides requests in Redis.
 *
 * @param clock - Returns milliseconds since the epoch. Without it, the Redis clock is used.
 */
export function createScriptCall(
  client: RedisClient,
  prefix: string,
  policy: BanPolicy | undefined,
  clock: (() => number) | undefined,
): ScriptCall {
  let hash: string | undefined
  computeSha1(limiterScript).then(
    (computed) => {
      hash = computed
    },
    () => {}, // without SHA-1, the whole script is sent each time
  )

  /**
   * Runs the script by its hash. Sends the whole script if Redis does not know the hash, or while the hash is being
   * computed.
   */
  async function runScript(key: string, args: readonly string[]): Promise<unknown> {
    try {
      if (hash !== undefined) return await client.send(['EVALSHA', hash, ...args], key)
    } catch (error) {
      if (!String(error).includes('NOSCRIPT')) throw error
    }
    return client.send(['EVAL', limiterScript, ...args], key)
  }

  return async (key, limits, cost) => {
    const accountKey = prefix + toAccountName(key)
    const input = JSON.stringify({ limits, policy, cost, now: clock?.() })
    return parseDecision(await runScript(accountKey, ['1', accountKey, input]))
  }
}

/** Computes the hash that identifies a script in Redis. */
async function computeSha1(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function parseDecision(value: unknown): Decision {
  const numbers = Array.isArray(value) ? value.map(Number) : []
  const [allowed, banned, limit = 0, remaining = 0, reset = 0, waitMs = 0] = numbers
  if (numbers.length !== 6 || numbers.some(Number.isNaN))
    throw new Error(`unexpected response from the Redis script: ${JSON.stringify(value)}`)
  return { allowed: allowed === 1, banned: banned === 1, limit, remaining, reset, waitMs }
}
