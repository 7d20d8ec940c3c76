-- wrk [...] -s wrk.lua URL -- METHOD [BODY]: sends this one request over and over, and tells the outcome in a line of JSON.

function init(args)
  wrk.method = args[1]
  wrk.body = args[2]
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
