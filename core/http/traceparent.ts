/** Version, trace ID, parent ID and flags. Only versions after 00 may have more (W3C Trace Context, 3.2). */
const traceparentPattern =
  /^(?!ff)(?:00|([0-9a-f]{2}))-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** Returns the trace ID in a `traceparent` header, or `undefined` if the header is absent or invalid. */
export function parseTraceId(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined) return undefined
  const [match, later, traceId, more] = traceparentPattern.exec(traceparent) ?? []
  return match !== undefined && (later !== undefined || more === undefined) ? traceId : undefined
}
