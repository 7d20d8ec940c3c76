import { library } from './library.ts'

/** A script of Redis. */
export interface Script {
  readonly text: string
  /** Returns the SHA-1 of the text in hex, which names the script in Redis once it has run. */
  hash(): Promise<string>
}

function scriptOf(text: string): Script {
  let hash: Promise<string> | undefined
  return { text, hash: () => (hash ??= sha1(text)) }
}

async function sha1(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
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
 * How a string in Redis holds several accounts, in Lua. Each is a record: its name, the time from which it is the same as
 * none (milliseconds since the epoch), and the account. A record whose time is over is left out when the string is read.
 *
 *     name ends account|name ends account|...
 */
const records = `
local function records_of(text, now)
  local records = {}
  for record, name, ends in string.gmatch(text, '((%w+) (%d+) [^|]+)') do
    ends = tonumber(ends)
    if ends > now then records[#records + 1] = { name = name, ends = ends, text = record } end
  end
  return records
end

local function record_of(name, ends, account)
  return { name = name, ends = ends, text = string.format('%s %.0f %s', name, ends, account) }
end

local function account_in(record)
  return record and string.match(record.text, '^%w+ %d+ (.*)$')
end

-- Returns the index of a name's record, and the name: 'shared' where there is no room and the name has no record.
local function find(records, name, room)
  local shared
  for i = 1, #records do
    if records[i].name == name then return i, name end
    if records[i].name == 'shared' then shared = i end
  end
  local named = #records - (shared and 1 or 0)
  if named < room then return #records + 1, name end
  return shared or #records + 1, 'shared'
end

local function joined(records)
  local texts = {}
  for i = 1, #records do texts[i] = records[i].text end
  return table.concat(texts, '|')
end

local function latest_end(records)
  local latest = 0
  for i = 1, #records do latest = math.max(latest, records[i].ends) end
  return latest
end
`

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
