import { clockToleranceMs, fields, inFlightMs, stepsOfWindow } from '../../core/internal.ts'

/** Index of each field of an account, as in core. Lua counts from 1. */
const fieldsOfLua = Object.entries(fields).map(([name, index]) => `${name} = ${index + 1}`)

/**
 * `createAccount`, `decide` and `peekAccount` of core in Lua, on the same lists of numbers. Redis runs it, so no other
 * command comes between the read and the write of an account.
 */
export const library: string = `
local fields = { ${fieldsOfLua.join(', ')} }
local steps = ${stepsOfWindow}

local function empty(account, limits, now)
  local length = fields.limits - 1 + 3 * #limits
  for field = length + 1, #account do account[field] = nil end
  for field = 1, length do account[field] = 0 end
  account[fields.at], account[fields.endsAt] = now, now
  for field = fields.limits + 1, length, 3 do account[field] = now end
end

local function create_account(limits, now)
  local account = {}
  empty(account, limits, now)
  return account
end

local function is_account(value)
  if type(value) ~= 'table' or #value < fields.limits then return false end
  for _, number in ipairs(value) do
    if type(number) ~= 'number' or not (math.abs(number) < 2 ^ 53) then return false end
  end
  return true
end

local function follow_clock(account, clock)
  local back = account[fields.at] - clock
  if back <= ${clockToleranceMs} then return end
  for _, name in ipairs({ 'at', 'endsAt', 'bannedUntil', 'streakAt', 'rejectedAt', 'stepAt' }) do
    local field = fields[name]
    if account[field] ~= 0 then account[field] = account[field] - back end
  end
  for field = fields.limits + 1, #account, 3 do account[field] = account[field] - back end
end

local function reset_at(now, leaking, start, open)
  return math.max(now + math.ceil(leaking), open > 0 and start + open or now)
end

local function charge(account, limits, clock, cost)
  local at = account[fields.at]
  local now = math.max(clock, at)
  local used, unused_before, unused_after, shown = {}, now, now, nil
  for i, limit in ipairs(limits) do
    local requests, window, field = limit.requests, limit.windowMs, fields.limits + 3 * i - 3
    local debt = math.max(0, math.min(account[field] or 0, requests * window) - (now - at) * requests)
    local start, count = account[field + 1] or 0, account[field + 2] or 0
    if count == 0 or now >= start + window then start, count = now, 0 end
    local reset = reset_at(now, debt / requests, start, count > 0 and window or 0)
    unused_before = math.max(unused_before, reset)
    local until_leaked = math.ceil((debt - (requests - 1) * window) / requests)
    local until_next_window = count < requests and 0 or start + window - now
    local wait = cost == 0 and 0 or math.max(0, until_leaked, until_next_window)
    if cost == 1 and wait == 0 then
      debt, count = debt + window, count + 1
      reset = reset_at(now, debt / requests, start, window)
    end
    for _, number in ipairs({ debt, start, count }) do used[#used + 1] = number end
    unused_after = math.max(unused_after, reset)
    local remaining = math.max(0, math.min(math.floor((requests * window - debt) / window), requests - count))
    local more = shown and remaining - shown.remaining
    local is_tighter = shown and (more < 0 or (more == 0 and reset > shown.reset))
    if not shown or wait > shown.wait or (shown.wait == 0 and is_tighter) then
      shown = { banned = false, limit = requests, remaining = remaining, reset = reset, wait = wait }
    end
  end
  shown.allowed = shown.wait == 0
  shown.reset = math.ceil(shown.reset / 1000)
  account[fields.endsAt] = shown.allowed and unused_after or unused_before
  if cost == 1 and shown.allowed then
    account[fields.at] = now
    for i, number in ipairs(used) do account[fields.limits + i - 1] = number end
  end
  return shown
end

local function is_banned(account, now)
  return now < account[fields.bannedUntil]
end

local function step_ms(policy)
  return math.max(1, math.floor(policy.withinMs / steps))
end

local function rejections_of(account)
  local sum = 0
  for step = 0, steps - 1 do sum = sum + account[fields.counts + step] end
  return sum
end

local function slide(account, step_ms, now)
  local passed = math.max(0, math.floor((now - account[fields.stepAt]) / step_ms))
  for step = steps - 1, 0, -1 do
    account[fields.counts + step] = step < passed and 0 or account[fields.counts + step - passed]
  end
  local sum = rejections_of(account)
  if sum > 0 then account[fields.stepAt] = account[fields.stepAt] + passed * step_ms end
  return sum
end

local function ban(account, policy, now)
  local is_remembered = now < account[fields.bannedUntil] + policy.rememberMs
  local bans = is_remembered and account[fields.bans] + 1 or 1
  account[fields.bans] = bans
  account[fields.bannedUntil] = now + math.min(policy.firstMs * 2 ^ (bans - 1), policy.longestMs)
  for step = 0, steps - 1 do account[fields.counts + step] = 0 end
end

local function record_rejections(account, policy, count, at)
  if is_banned(account, at) then return end
  local before, rejected_at = slide(account, step_ms(policy), at), account[fields.rejectedAt]
  local is_streak = before > 0 and math.min(account[fields.at], at) < rejected_at + ${inFlightMs}
  if not is_streak and count == 0 then return end
  if not is_streak then account[fields.streakAt] = at end
  account[fields.rejectedAt] = is_streak and math.max(rejected_at, at) or at
  if before == 0 then account[fields.stepAt] = at end
  local is_first_second = at < account[fields.streakAt] + ${inFlightMs}
  if not is_streak then count = 1 elseif is_first_second then count = 0 end
  account[fields.counts] = account[fields.counts] + count
  if before + count >= policy.rejections then ban(account, policy, at) end
end

local function forgotten_at(account, policy)
  local last = account[fields.bans] > 0 and account[fields.bannedUntil] + policy.rememberMs or 0
  for step = 0, steps - 1 do
    if account[fields.counts + step] > 0 then
      last = math.max(last, account[fields.stepAt] + (steps - step) * step_ms(policy))
    end
  end
  return last
end

local function show_ban(account, numbers)
  numbers.banned, numbers.remaining = true, 0
  numbers.reset = math.ceil(account[fields.bannedUntil] / 1000)
  return numbers
end

-- earlier: number of counted rejections without Redis, and time of the last one; or nil.
local function decide(account, limits, policy, clock, earlier)
  follow_clock(account, clock)
  if clock >= account[fields.endsAt] then empty(account, limits, clock) end
  if earlier and policy then record_rejections(account, policy, earlier.count, earlier.at) end
  local numbers = charge(account, limits, clock, is_banned(account, clock) and 0 or 1)
  if policy and not numbers.allowed then record_rejections(account, policy, 1, clock) end
  if policy and account[fields.rejectedAt] ~= 0 then
    account[fields.endsAt] = math.max(account[fields.endsAt], forgotten_at(account, policy))
  end
  if not is_banned(account, clock) then return numbers end
  show_ban(account, numbers)
  numbers.allowed, numbers.wait = false, account[fields.bannedUntil] - clock
  return numbers
end

local function peek(account, limits, clock)
  follow_clock(account, clock)
  local is_empty = clock >= account[fields.endsAt]
  local numbers = charge(is_empty and create_account(limits, clock) or { unpack(account) }, limits, clock, 0)
  return is_banned(account, clock) and show_ban(account, numbers) or numbers
end
`
