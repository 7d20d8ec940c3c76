import { createHash } from 'node:crypto'
import { library } from './library.ts'
import { records } from './records.ts'

/** A script, and the hash by which Redis knows it once it has run. */
export interface Script {
  readonly text: string
  readonly sha1: string
}

function scriptOf(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}

const begin = `
local limits, policy = limits_of(ARGV[1]), policy_of(ARGV[2])
local now = tonumber(ARGV[6])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function decide_on(account)
  return decide(account, limits, policy, now, tonumber(ARGV[3]), tonumber(ARGV[4]), now - tonumber(ARGV[5]))
end

local function set(text, ends)
  return redis.pcall('SET', KEYS[1], text, 'PX', string.format('%.0f', ends - now))
end

local before = redis.call('GET', KEYS[1])`

const end = `
local until_ban = 0
if policy and account.ban and not decision.banned then until_ban = policy.refusals - (#account.ban - 2) end
return { decision.allowed and 1 or 0, decision.banned and 1 or 0, decision.limit, decision.remaining, decision.reset,
  decision.wait, until_ban }
`

/**
 * Decides one request of a caller with a key. KEYS: the string that holds the account. ARGV: the limits (requests, window,
 * ...), the policy (its five numbers, or nothing), the cost (1 charges, 0 peeks), how many refusals were made without asking and how many ms
 * ago, and the time, or nothing for Redis's own. Returns: allowed, banned, limit, remaining, reset, wait, and how many
 * refusals more start a ban, where one is near.
 *
 * A Redis at its `maxmemory` stores the account all the same, since there are no more of those than keys were issued: it
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
 * Decides one request of an address. As `keyScript`, but the string holds the accounts of several. ARGV besides: the
 * account's name in the string, and for how many names the string has room. Redis's error, where it is at its
 * `maxmemory`.
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
