import { library } from './library.ts'

/**
 * Decides one request. KEYS: the account's. ARGV: the limits (requests, window, ...), the policy (its five numbers, or
 * nothing), the cost, how many refusals were made without asking and how many ms ago, and, where it is not to be
 * Redis's own, the time. Answers: allowed, banned, limit, remaining, reset, wait, and how many refusals more start a
 * ban, where one is near.
 */
export const script: string = `${library}
local limits, policy = limits_of(ARGV[1]), policy_of(ARGV[2])
local now = tonumber(ARGV[6])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local before = redis.call('GET', KEYS[1])
local account = open(before, limits, now)
local decision = decide(account, limits, policy, now, tonumber(ARGV[3]), tonumber(ARGV[4]), now - tonumber(ARGV[5]))
local after = written(account)
if after ~= before then
  local rest = empty_at(account, limits, policy) - now
  if rest > 0 then
    redis.call('SET', KEYS[1], after, 'PX', string.format('%.0f', rest))
  elseif before then
    redis.call('DEL', KEYS[1])
  end
end

local until_ban = 0
if policy and account.ban and not decision.banned then until_ban = policy.refusals - (#account.ban - 2) end
return { decision.allowed and 1 or 0, decision.banned and 1 or 0, decision.limit, decision.remaining, decision.reset,
  decision.wait, until_ban }
`
