/**
 * Core's `decide` in Lua. It runs in Redis, where the accounts are, so nothing happens between its read and its write.
 *
 * An account is written as its bucket and, once the key has been rejected, a bar and its ban record, all in whole
 * numbers. `age` is `at` less the start of the window. The counts are those of the latest step and of each before it.
 *
 *     at debt age used [debt age used ...][|until bans streak rejected step count count ...]
 */
export const library = `
local clock_tolerance = 2000
local in_flight = 1000

local function numbers(text)
  local list = {}
  for word in string.gmatch(text, '%S+') do list[#list + 1] = tonumber(word) end
  return list
end

local function words(list)
  local written = {}
  for i = 1, #list do written[i] = string.format('%.0f', list[i]) end
  return table.concat(written, ' ')
end

local function limits_of(text)
  local list, limits = numbers(text), {}
  for i = 1, #list, 2 do limits[#limits + 1] = { n = list[i], w = list[i + 1] } end
  return limits
end

local function policy_of(text)
  local list = numbers(text)
  if #list == 0 then return nil end
  return { refusals = list[1], within = list[2], first = list[3], longest = list[4], remember = list[5] }
end

local function read_bucket(text)
  local bucket = numbers(text)
  for i = 3, #bucket, 3 do bucket[i] = bucket[1] - bucket[i] end
  return bucket
end

-- A ban record is a list: until, how many bans followed each other, when the streak began, its last rejection, when the
-- latest step of the window began, and the rejections of each step.
local steps = 10

local function open(text, limits, now)
  if text then
    local bucket, ban = string.match(text, '^([^|]*)|?(.*)$')
    return { bucket = read_bucket(bucket), ban = ban ~= '' and numbers(ban) or nil }
  end
  local bucket = { now }
  for i = 1, #limits do bucket[3 * i - 1], bucket[3 * i], bucket[3 * i + 1] = 0, now, 0 end
  return { bucket = bucket }
end

local function written(account)
  local bucket = {}
  for i, number in ipairs(account.bucket) do
    local is_start = i % 3 == 0
    bucket[i] = is_start and account.bucket[1] - number or number
  end
  return words(bucket) .. (account.ban and '|' .. words(account.ban) or '')
end

local function follow_clock(account, now)
  local bucket, ban = account.bucket, account.ban
  local back = bucket[1] - now
  if back <= clock_tolerance then return end
  bucket[1] = now
  for i = 3, #bucket, 3 do bucket[i] = bucket[i] - back end
  if not ban then return end
  for _, i in ipairs({ 1, 3, 4, 5 }) do
    if ban[i] ~= 0 then ban[i] = ban[i] - back end
  end
end

local function bring_forward(bucket, limit, i, now)
  local debt = math.max(0, (bucket[3 * i - 1] or 0) - (now - bucket[1]) * limit.n)
  local start, used = bucket[3 * i] or 0, bucket[3 * i + 1] or 0
  if used == 0 or now >= start + limit.w then start, used = now, 0 end
  return { n = limit.n, w = limit.w, debt = debt, start = start, used = used }
end

local function wait_of(use, now)
  local until_dripped = math.max(0, math.ceil((use.debt - (use.n - 1) * use.w) / use.n))
  local until_window_ends = use.used + 1 > use.n and use.start + use.w - now or 0
  return math.max(until_dripped, until_window_ends)
end

local function remaining_of(use)
  return math.max(0, math.min(math.floor((use.n * use.w - use.debt) / use.w), use.n - use.used))
end

local function reset_of(use, now)
  return math.max(now + math.ceil(use.debt / use.n), use.used > 0 and use.start + use.w or now)
end

local function best(uses, is_better)
  local found = uses[1]
  for i = 2, #uses do
    if is_better(uses[i], found) then found = uses[i] end
  end
  return found
end

local function tightest(uses, now)
  return best(uses, function(a, b)
    local more = remaining_of(a) - remaining_of(b)
    return more < 0 or (more == 0 and reset_of(a, now) > reset_of(b, now))
  end)
end

local function described(use, now, wait)
  local reset = math.ceil(reset_of(use, now) / 1000)
  return { allowed = wait == 0, banned = false, limit = use.n, remaining = remaining_of(use), reset = reset, wait = wait }
end

local function charge(bucket, limits, clock, cost)
  local now = math.max(clock, bucket[1])
  local uses = {}
  for i, limit in ipairs(limits) do uses[i] = bring_forward(bucket, limit, i, now) end
  if cost == 0 then return described(tightest(uses, now), now, 0) end

  local slowest = best(uses, function(a, b) return wait_of(a, now) > wait_of(b, now) end)
  local wait = wait_of(slowest, now)
  if wait > 0 then return described(slowest, now, wait) end

  bucket[1] = now
  for i, use in ipairs(uses) do
    use.debt, use.used = use.debt + use.w, use.used + 1
    bucket[3 * i - 1], bucket[3 * i], bucket[3 * i + 1] = use.debt, use.start, use.used
  end
  return described(tightest(uses, now), now, 0)
end

local function is_banned(account, now)
  return account.ban and now < account.ban[1]
end

local function step_ms(policy)
  return math.max(1, math.floor(policy.within / steps))
end

local function slide(ban, step, now)
  local passed, sum = math.max(0, math.floor((now - ban[5]) / step)), 0
  for i = steps, 1, -1 do
    ban[5 + i] = i > passed and ban[5 + i - passed] or 0
    sum = sum + ban[5 + i]
  end
  if sum > 0 then ban[5] = ban[5] + passed * step end
  return sum
end

local function count_rejections(account, policy, now, count)
  if not policy or is_banned(account, now) then return end
  local ban = account.ban or { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
  local before = slide(ban, step_ms(policy), now)
  local is_streak = before > 0 and math.min(account.bucket[1], now) < ban[4] + in_flight
  if not is_streak and count == 0 then return end
  account.ban = ban
  if not is_streak then ban[3] = now end
  ban[4] = is_streak and math.max(ban[4], now) or now
  if before == 0 then ban[5] = now end
  if not is_streak then count = 1 elseif now < ban[3] + in_flight then count = 0 end
  ban[6] = ban[6] + count
  if before + count < policy.refusals then return end
  ban[2] = now < ban[1] + policy.remember and ban[2] + 1 or 1
  ban[1] = now + math.min(policy.first * 2 ^ (ban[2] - 1), policy.longest)
  for i = 1, steps do ban[5 + i] = 0 end
end

local function banned(account, numbers, now, cost)
  local ends = account.ban[1]
  local reset, wait = math.ceil(ends / 1000), cost == 0 and 0 or ends - now
  return { allowed = cost == 0, banned = true, limit = numbers.limit, remaining = 0, reset = reset, wait = wait }
end

-- earlier: how many rejections that count were made without Redis, and when the last one was; or nil.
local function decide(account, limits, policy, clock, cost, earlier)
  follow_clock(account, clock)
  if earlier then count_rejections(account, policy, earlier.at, earlier.count) end
  if is_banned(account, clock) then
    return banned(account, charge(account.bucket, limits, clock, 0), clock, cost)
  end
  local decision = charge(account.bucket, limits, clock, cost)
  if decision.allowed then return decision end
  count_rejections(account, policy, clock, 1)
  return is_banned(account, clock) and banned(account, decision, clock, cost) or decision
end

local function empty_at(account, limits, policy)
  local bucket, ban = account.bucket, account.ban
  local at = bucket[1]
  local last = at
  for i, limit in ipairs(limits) do last = math.max(last, reset_of(bring_forward(bucket, limit, i, at), at)) end
  if ban and policy then
    if ban[2] > 0 then last = math.max(last, ban[1] + policy.remember) end
    for i = 1, steps do
      if ban[5 + i] > 0 then last = math.max(last, ban[5] + (steps - i + 1) * step_ms(policy)) end
    end
  end
  return last
end
`
