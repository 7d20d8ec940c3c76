-- wrk [...] -s wrk.lua URL -- METHOD TARGET BODY [METHOD TARGET BODY ...]
-- Sends requests in turn. Prints the result as a line of JSON.

local requests = {}
local turn = 0

function init(args)
  for i = 1, #args, 3 do
    local body = args[i + 2]
    if body == "" then body = nil end
    requests[#requests + 1] = wrk.format(args[i], args[i + 1], nil, body)
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%f,"failures":%d}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
