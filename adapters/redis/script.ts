import { library } from './library.ts'
import { records } from './records.ts'
import { sha1 } from './sha1.ts'

/** A script, and the hash that names it in Redis once it has run. */
export interface Script {
  readonly text: string
  readonly sha1: string
}

function scriptOf(text: string): Script {
  return { text, sha1: sha1(text) }
}

const begin = `
local limits, policy = limits_of(ARGV[1]), policy_of(ARGV[2])
local now, cost = tonumber(ARGV[6]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local earlier
if ARGV[5] ~= '' then earlier = { count = tonumber(ARGV[4]), at = now - tonumber(ARGV[5]) } end

local function decide_on(account)
  return decide(account, limits, policy, now, cost, earlier)
end

local function set(text, ends)
  return redis.pcall('SET', KEYS[1], text, 'PX', string.format('%.0f', ends - now))
end

local before = redis.call('GET', KEYS[1])`

const end = `
local until_ban, uncounted = 0, 0
if policy and account.ban and not decision.banned then
  until_ban = policy.refusals - (#account.ban - 4)
  uncounted = math.max(0, account.ban[3] + in_flight - now)
end
return { decision.allowed and 1 or 0, decision.banned and 1 or 0, decision.limit, decision.remaining, decision.reset,
  decision.wait, until_ban, uncounted }
`

/**
 * Decides one request of a caller with a key.
 *
 * KEYS: the string that holds the account. ARGV: the limits (requests, window, ...); the policy (its five numbers, or an
 * empty text for none); the cost (1 charges, 0 peeks); how many earlier rejections count, and how many milliseconds ago the last one was (an
 * empty text for none); the time (an empty text for that of Redis).
 *
 * Returns: allowed, banned, limit, remaining, reset, wait; how many more rejections begin a ban (0 where none can); and
 * for how many more milliseconds rejections do not count.
 *
 * A Redis at its `maxmemory` stores the account nevertheless, since there are no more of them than issued keys: Redis
 * accepts any write of a script that has deleted something.
 */
export const keyScript: Script = scriptOf(`${library}${begin}
local account = open(before, limits, now)
local decision = decide_on(account)
local after = written(account)
if after ~= before then
  local ends = empty_at(account, limits, policy)
  if ends <= now then
    if before then redis.call('DEL', KEYS[1]) end
  elseif set(after, ends).err then
    redis.call('DEL', KEYS[1])
    set(after, ends)
  end
end
${end}`)

/**
 * Decides one request of an address, as `keyScript` does; but the string holds the accounts of several addresses.
 *
 * Further ARGV: the name of the account in the string, and for how many names the string has room. Returns the error of
 * a Redis that is at its `maxmemory`.
 */
export const addressScript: Script = scriptOf(`${library}${records}${begin}
local records = records_of(before or '', now)
local i, name = find(records, ARGV[7], tonumber(ARGV[8]))
if name == 'shared' then policy = nil end
local account = open(account_in(records[i]), limits, now)
local decision = decide_on(account)

records[i] = record_of(name, empty_at(account, limits, policy), written(account))
if records[i].ends <= now then table.remove(records, i) end
local after = joined(records)
if after == '' then
  if before then redis.call('DEL', KEYS[1]) end
elseif after ~= before then
  local result = set(after, latest_end(records))
  if result.err then return result end
end
${end}`)
