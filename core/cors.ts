import type { ServiceRequest } from './http.ts'

/** What of an answer's headers a page may read. */
const exposed =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Link, Deprecation, Sunset, WWW-Authenticate, X-Request-Id'

/** How long a browser may keep what a preflight said, in seconds. */
const maxAge = '7200'

/**
 * What every answer says to the pages of other origins (the Fetch standard, 3.2), names and values in turn. `origins`
 * are those whose pages may call; `*` stands for all. Credentials are never allowed: a page sends the key itself, and
 * nothing that a browser attaches on its own counts here.
 */
export function corsHeaders(
  origins: readonly string[],
  request: Pick<ServiceRequest, 'header'>,
): readonly string[] {
  const origin = allowedOrigin(origins, request)
  return [
    ...(origin === '*' ? [] : ['Vary', 'Origin']),
    ...(origin ? ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed] : []),
  ]
}

/** Whether a browser asks ahead what a page may send. */
export function isPreflight(request: Pick<ServiceRequest, 'method' | 'header'>): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.header('origin') !== undefined &&
    request.header('access-control-request-method') !== undefined
  )
}

/** What the answer to a preflight says beside that, of a path that takes `methods`. */
export function preflightHeaders(
  origins: readonly string[],
  request: Pick<ServiceRequest, 'header'>,
  methods: readonly string[],
): readonly string[] {
  if (!allowedOrigin(origins, request)) return []
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type',
    'Access-Control-Max-Age',
    maxAge,
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

/** Whether an entry of `cors` is one that a browser's `Origin` can equal: a scheme, a host, and a port if not the usual one. */
export function isOrigin(value: unknown): boolean {
  try {
    return value === '*' || (typeof value === 'string' && new URL(value).origin === value)
  } catch {
    return false
  }
}
