import type { ServiceRequest } from './http.ts'

/** The response headers that a page may read. */
const exposed =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Link, Deprecation, Sunset, WWW-Authenticate, X-Request-Id, Idempotency-Replayed, Date'

/**
 * Returns the headers of every response for pages of other origins (the Fetch standard, 3.2): names and values,
 * alternating. Pages of `origins` may send requests; `*` stands for all. Credentials are never allowed: a page sends the
 * key itself, and the service ignores what a browser adds on its own.
 */
export function createCorsHeaders(
  origins: readonly string[],
  request: Pick<ServiceRequest, 'header'>,
): readonly string[] {
  const origin = allowedOrigin(origins, request)
  return [
    ...(origin === '*' ? [] : ['Vary', 'Origin']),
    ...(origin ? ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed] : []),
  ]
}

/** Returns whether a request is a preflight: a browser asks what a page may send. */
export function isPreflight(request: Pick<ServiceRequest, 'method' | 'header'>): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.header('origin') !== undefined &&
    request.header('access-control-request-method') !== undefined
  )
}

/** Returns the further headers of the response to a preflight, for a path that supports `methods`. */
export function createPreflightHeaders(
  origins: readonly string[],
  request: Pick<ServiceRequest, 'header'>,
  methods: readonly string[],
): readonly string[] {
  if (!allowedOrigin(origins, request)) return []
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Idempotency-Key',
    'Access-Control-Max-Age',
    '7200', // two hours
  ]
}

function allowedOrigin(
  origins: readonly string[],
  request: Pick<ServiceRequest, 'header'>,
): string | undefined {
  if (origins.includes('*')) return '*'
  const origin = request.header('origin')
  return origin !== undefined && origins.includes(origin) ? origin : undefined
}

/** Returns whether an entry of `cors` is `*` or a valid `Origin`: scheme, host, and a port unless it is the default. */
export function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return value === '*' || (!value.includes('*') && URL.canParse(value) && new URL(value).origin === value)
}
