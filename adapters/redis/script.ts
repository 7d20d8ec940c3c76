import { library } from './library.ts'

/**
 * Decides one request.
 *
 * KEYS: the string that holds the account. ARGV: the limits (requests, window, ...); the policy (its five numbers, or
 * an empty text for none); the cost (1 charges, 0 peeks); how many earlier rejections count, and how many milliseconds
 * ago the last one was (an empty text for none); the time (an empty text for that of Redis).
 *
 * Returns: allowed, banned, limit, remaining, reset, wait; how many more rejections begin a ban (0 where none can); and
 * for how many more milliseconds rejections do not count.
 *
 * A Redis at its `maxmemory` stores the account nevertheless, since the number of accounts is bounded: Redis accepts
 * any write of a script that has deleted something.
 */
export const script: string = `${library}
local limits, policy = limits_of(ARGV[1]), policy_of(ARGV[2])
local now = tonumber(ARGV[6])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local earlier
if ARGV[5] ~= '' then earlier = { count = tonumber(ARGV[4]), at = now - tonumber(ARGV[5]) } end

local before = redis.call('GET', KEYS[1])
local account = open(before, limits, now)
local decision = decide(account, limits, policy, now, tonumber(ARGV[3]), earlier)

local function set(text, ends)
  return redis.pcall('SET', KEYS[1], text, 'PX', string.format('%.0f', ends - now))
end

local after = written(account)
if after ~= before then
  local ends = empty_at(account, limits, policy)
  if ends <= now then
    if before then redis.call('DEL', KEYS[1]) end
  elseif set(after, ends).err then
    redis.call('DEL', KEYS[1])
    local result = set(after, ends)
    if result.err then return result end
  end
end

local until_ban, uncounted = 0, 0
if policy and account.ban and not decision.banned then
  until_ban = policy.refusals
  for i = 6, #account.ban do until_ban = until_ban - account.ban[i] end
  uncounted = math.max(0, account.ban[3] + in_flight - now)
end
return { decision.allowed and 1 or 0, decision.banned and 1 or 0, decision.limit, decision.remaining, decision.reset,
  decision.wait, until_ban, uncounted }
`

let hash: Promise<string> | undefined

/** Returns the SHA-1 of the script in hex, which names it in Redis once it has run. */
export function scriptHash(): Promise<string> {
  hash ??= sha1(script)
  return hash
}

async function sha1(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
