import { clockToleranceMs, fields, inFlightGraceMs, windowSteps } from '../../core/internal.ts'

/** Lua tables start at 1, so each index is one higher than in core. */
const luaFields = Object.entries(fields).map(([name, index]) => `${name} = ${index + 1}`)

/**
 * The functions `createAccount`, `decide` and `peekAccount` from core, translated to Lua. Redis runs a script
 * atomically, so no other command can change an account in between.
 */
export const luaLibrary: string = `
local fields = { ${luaFields.join(', ')} }
local steps = ${windowSteps}

local function reset_account(account, limits, now)
  local length = fields.firstLimit - 1 + 3 * #limits
  for field = length + 1, #account do account[field] = nil end
  for field = 1, length do account[field] = 0 end
  account[fields.lastAllowedAt], account[fields.expiresAt] = now, now
  for field = fields.firstLimit + 1, length, 3 do account[field] = now end
end

local function create_account(limits, now)
  local account = {}
  reset_account(account, limits, now)
  return account
end

local function is_account(value)
  if type(value) ~= 'table' or #value < fields.firstLimit then return false end
  for _, number in ipairs(value) do
    if type(number) ~= 'number' or not (math.abs(number) < 2 ^ 53) then return false end
  end
  return true
end

local function follow_clock(account, clock)
  local back = account[fields.lastAllowedAt] - clock
  if back <= ${clockToleranceMs} then return end
  for _, name in ipairs({ 'lastAllowedAt', 'expiresAt', 'bannedUntil', 'streakStartedAt', 'lastRejectedAt', 'newestStepAt' }) do
    local field = fields[name]
    if account[field] ~= 0 then account[field] = account[field] - back end
  end
  for field = fields.firstLimit + 1, #account, 3 do account[field] = account[field] - back end
end

local function compute_reset_time(now, leaking, start, open)
  return math.max(now + math.ceil(leaking), open > 0 and start + open or now)
end

local function charge_account(account, limits, clock, cost)
  local at = account[fields.lastAllowedAt]
  local now = math.max(clock, at)
  local used, expires_if_rejected, expires_if_allowed, shown = {}, now, now, nil
  for i, limit in ipairs(limits) do
    local requests, window, field = limit.requests, limit.windowMs, fields.firstLimit + 3 * i - 3
    local debt = math.max(0, math.min(account[field] or 0, requests * window) - (now - at) * requests)
    local start, count = account[field + 1] or 0, account[field + 2] or 0
    if count == 0 or now >= start + window then start, count = now, 0 end
    local reset = compute_reset_time(now, debt / requests, start, count > 0 and window or 0)
    expires_if_rejected = math.max(expires_if_rejected, reset)
    local until_leaked = math.ceil((debt - (requests - 1) * window) / requests)
    local until_next_window = count < requests and 0 or start + window - now
    local wait = cost == 0 and 0 or math.max(0, until_leaked, until_next_window)
    if cost == 1 and wait == 0 then
      debt, count = debt + window, count + 1
      reset = compute_reset_time(now, debt / requests, start, window)
    end
    for _, number in ipairs({ debt, start, count }) do used[#used + 1] = number end
    expires_if_allowed = math.max(expires_if_allowed, reset)
    local remaining = math.max(0, math.min(math.floor((requests * window - debt) / window), requests - count))
    local more = shown and remaining - shown.remaining
    local is_tighter = shown and (more < 0 or (more == 0 and reset > shown.reset))
    if not shown or wait > shown.wait or (shown.wait == 0 and is_tighter) then
      shown = { banned = false, limit = requests, remaining = remaining, reset = reset, wait = wait }
    end
  end
  shown.allowed = shown.wait == 0
  shown.reset = math.ceil(shown.reset / 1000)
  account[fields.expiresAt] = shown.allowed and expires_if_allowed or expires_if_rejected
  if cost == 1 and shown.allowed then
    account[fields.lastAllowedAt] = now
    for i, number in ipairs(used) do account[fields.firstLimit + i - 1] = number end
  end
  return shown
end

local function is_banned(account, now)
  return now < account[fields.bannedUntil]
end

local function compute_step_ms(policy)
  return math.max(1, math.floor(policy.windowMs / steps))
end

local function slide_window(account, step_ms, now)
  local passed = math.max(0, math.floor((now - account[fields.newestStepAt]) / step_ms))
  local sum = 0
  for step = steps - 1, 0, -1 do
    account[fields.rejectionCounts + step] = step < passed and 0 or account[fields.rejectionCounts + step - passed]
    sum = sum + account[fields.rejectionCounts + step]
  end
  if sum > 0 then account[fields.newestStepAt] = account[fields.newestStepAt] + passed * step_ms end
  return sum
end

local function ban_account(account, policy, now)
  local is_remembered = now < account[fields.bannedUntil] + policy.resetAfterMs
  local bans = is_remembered and account[fields.banCount] + 1 or 1
  account[fields.banCount] = bans
  account[fields.bannedUntil] = now + math.min(policy.firstBanMs * 2 ^ (bans - 1), policy.maxBanMs)
  for step = 0, steps - 1 do account[fields.rejectionCounts + step] = 0 end
end

local function record_rejection(account, policy, now)
  if is_banned(account, now) then return end
  local before = slide_window(account, compute_step_ms(policy), now)
  local is_streak = before > 0 and account[fields.lastAllowedAt] < account[fields.lastRejectedAt] + ${inFlightGraceMs}
  if not is_streak then account[fields.streakStartedAt] = now end
  if before == 0 then account[fields.newestStepAt] = now end
  account[fields.lastRejectedAt] = now
  if is_streak and now < account[fields.streakStartedAt] + ${inFlightGraceMs} then return end
  account[fields.rejectionCounts] = account[fields.rejectionCounts] + 1
  if before + 1 >= policy.rejections then ban_account(account, policy, now) end
end

local function compute_expiry(account, policy)
  local last = account[fields.banCount] > 0 and account[fields.bannedUntil] + policy.resetAfterMs or 0
  for step = 0, steps - 1 do
    if account[fields.rejectionCounts + step] > 0 then
      last = math.max(last, account[fields.newestStepAt] + (steps - step) * compute_step_ms(policy))
    end
  end
  return last
end

local function create_ban_decision(account, limits)
  local reset = math.ceil(account[fields.bannedUntil] / 1000)
  return { allowed = true, banned = true, limit = limits[1].requests, remaining = 0, reset = reset, wait = 0 }
end

local function decide(account, limits, policy, clock)
  follow_clock(account, clock)
  if clock >= account[fields.expiresAt] then reset_account(account, limits, clock) end
  local decision = charge_account(account, limits, clock, is_banned(account, clock) and 0 or 1)
  if policy and not decision.allowed then record_rejection(account, policy, clock) end
  if policy and account[fields.lastRejectedAt] ~= 0 then
    account[fields.expiresAt] = math.max(account[fields.expiresAt], compute_expiry(account, policy))
  end
  if is_banned(account, clock) then
    decision = create_ban_decision(account, limits)
    decision.allowed, decision.wait = false, account[fields.bannedUntil] - clock
  end
  return decision
end

local function peek(account, limits, clock)
  follow_clock(account, clock)
  local is_empty = clock >= account[fields.expiresAt]
  local decision = charge_account(is_empty and create_account(limits, clock) or { unpack(account) }, limits, clock, 0)
  return is_banned(account, clock) and create_ban_decision(account, limits) or decision
end
`
