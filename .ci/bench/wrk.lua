-- wrk [...] -s wrk.lua URL -- METHOD BODY
-- Repeats one request, and prints the figures as a line of JSON.

function init(args)
  wrk.method = args[1]
  if args[2] ~= "" then wrk.body = args[2] end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%f,"p99Ms":%f,"failures":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
