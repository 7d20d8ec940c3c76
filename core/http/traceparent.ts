/** A header of W3C Trace Context: version, trace id, parent id, flags. Versions after 00 may have further fields. */
const pattern = /^(?!ff)(?:00|([0-9a-f]{2}))-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** Returns the trace id of a `traceparent` header; undefined if it is absent or invalid. */
export function parseTraceId(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined) return undefined
  const [match, later, traceId, more] = pattern.exec(traceparent) ?? []
  return match !== undefined && (later !== undefined || more === undefined) ? traceId : undefined
}
