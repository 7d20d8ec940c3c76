/**
 * How a string in Redis holds accounts, in Lua: each with its name and the time from which it is the same as none, in
 * ms since the epoch. Those of which that time is over are left out when the string is read.
 *
 *     name ends account|name ends account|...
 */
export const records = `
local function records_of(text, now)
  local records = {}
  for name, ends, account in string.gmatch(text, '(%w+) (%d+) ([^|]+)') do
    if tonumber(ends) > now then
      records[#records + 1] = { name = name, ends = tonumber(ends), account = account }
    end
  end
  return records
end

-- The index of a name's record, and the name: 'shared' where the room is taken and the name has no record.
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
  local written = {}
  for i = 1, #records do
    written[i] = string.format('%s %.0f %s', records[i].name, records[i].ends, records[i].account)
  end
  return table.concat(written, '|')
end

local function latest_end(records)
  local latest = 0
  for i = 1, #records do latest = math.max(latest, records[i].ends) end
  return latest
end
`
