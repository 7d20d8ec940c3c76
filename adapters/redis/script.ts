import { library } from './library.ts'
import { records } from './records.ts'

/**
 * Decides one request. KEYS: the string that holds the account. ARGV: the limits (requests, window, ...), the policy (its
 * five numbers, or nothing), the cost, how many refusals were made without asking and how many ms ago, the account's
 * name in the string, the room of the string, and, where it is not to be Redis's own, the time. Returns: allowed,
 * banned, limit, remaining, reset, wait, and how many refusals more start a ban, where one is near.
 *
 * A Redis at its `maxmemory` still stores the account of a caller with a key, since there are no more of those than
 * keys were issued: it accepts any write from a script that has deleted something. An address is an error there.
 */
export const script: string = `${library}${records}
local limits, policy = limits_of(ARGV[1]), policy_of(ARGV[2])
local now = tonumber(ARGV[8])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function store(text, rest)
  local set = { 'SET', KEYS[1], text, 'PX', string.format('%.0f', rest) }
  local result = redis.pcall(unpack(set))
  if not result.err then return end
  if ARGV[6] ~= 'own' then return result end
  redis.call('DEL', KEYS[1])
  redis.call(unpack(set))
end

local before = redis.call('GET', KEYS[1]) or ''
local records = records_of(before, now)
local i, name = find(records, ARGV[6], tonumber(ARGV[7]))
if name == 'shared' then policy = nil end
local account = open(account_in(records[i]), limits, now)
local decision = decide(account, limits, policy, now, tonumber(ARGV[3]), tonumber(ARGV[4]), now - tonumber(ARGV[5]))

records[i] = record_of(name, empty_at(account, limits, policy), written(account))
if records[i].ends <= now then table.remove(records, i) end
local after = joined(records)
if after == '' then
  if before ~= '' then redis.call('DEL', KEYS[1]) end
elseif after ~= before then
  local failure = store(after, latest_end(records) - now)
  if failure then return failure end
end

local until_ban = 0
if policy and account.ban and not decision.banned then until_ban = policy.refusals - (#account.ban - 2) end
return { decision.allowed and 1 or 0, decision.banned and 1 or 0, decision.limit, decision.remaining, decision.reset,
  decision.wait, until_ban }
`
