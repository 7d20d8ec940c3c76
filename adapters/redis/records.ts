/**
 * How a string in Redis holds several accounts, in Lua. Each is a record: its name, the time from which it is the same as
 * none (milliseconds since the epoch), and the account. A record whose time is over is left out when the string is read.
 *
 *     name ends account|name ends account|...
 */
export const records = `
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
