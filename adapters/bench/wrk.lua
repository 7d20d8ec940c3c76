-- wrk [...] -s wrk.lua URL -- METHOD BODY [PATH ...]
-- Repeats one request, or sends requests to several paths in turn. Prints the result as a line of JSON.

local requests = {}
local turn = 0

function init(args)
  wrk.method = args[1]
  if args[2] ~= "" then wrk.body = args[2] end
  for i = 3, #args do requests[#requests + 1] = wrk.format(nil, args[i]) end
  if #requests > 0 then
    request = function()
      turn = turn % #requests + 1
      return requests[turn]
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"failures":%d}\n',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
