-- wrk [...] -s wrk.lua URL -- METHOD BODY
-- Sends the same request again and again. Prints the result as a line of JSON.

function init(args)
  wrk.method = args[1]
  if args[2] ~= "" then wrk.body = args[2] end
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%f,"failures":%d}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
