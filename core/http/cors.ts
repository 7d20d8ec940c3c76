import { isObject } from '../base/json.ts'
import type { ServiceRequest } from './http.ts'
import type { Success } from './result.ts'

/** Which web pages may call the service from a browser, and which additional headers they may use. */
export interface CorsOptions {
  /** Page origins, such as `https://example.com`, or `*` for all pages. */
  readonly origins: readonly string[] | '*'
  /** Additional request headers that a page may send, such as `X-Tenant`. None by default. */
  readonly allowedHeaders?: readonly string[]
  /** Additional response headers that a page may read. None by default. */
  readonly exposedHeaders?: readonly string[]
}

/** Creates the CORS headers (Fetch Standard, 3.2). */
export interface Cors {
  /** Creates the headers for a response that is not a preflight response, as alternating names and values. */
  createHeaders(request: Pick<ServiceRequest, 'header'>): readonly string[]
  /**
   * Returns the response to a preflight request, or `undefined` for any other request.
   *
   * @param methods - The methods that the path supports.
   */
  respondToPreflight(
    request: Pick<ServiceRequest, 'method' | 'header'>,
    methods: readonly string[],
  ): Success | undefined
}

/** Request headers that every allowed page may send. Tracing in browsers uses the last three. */
const defaultAllowedHeaders = 'Authorization, Content-Type, Idempotency-Key, traceparent, tracestate, baggage'
/** Response headers that every allowed page may read. */
const defaultExposedHeaders =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Link, Deprecation, Sunset, WWW-Authenticate, X-Request-Id, Idempotency-Replayed, Date'

/**
 * Reads the option `cors`. Returns `undefined` if no page may call the service. Credentials are never allowed, because
 * pages send the API key themselves and the service reads no cookies.
 */
export function createCors(option: readonly string[] | '*' | CorsOptions = []): Cors | undefined {
  const { origins, allowedHeaders = [], exposedHeaders = [] } = toCorsOptions(option)
  if (origins.length === 0) return undefined
  const exposedNames = [defaultExposedHeaders, ...exposedHeaders].join(', ')
  const vary = origins.includes('*') ? [] : ['Vary', 'Origin']

  function findAllowedOrigin(request: Pick<ServiceRequest, 'header'>): string | undefined {
    if (origins.includes('*')) return '*'
    const origin = request.header('origin')
    return origin !== undefined && origins.includes(origin) ? origin : undefined
  }

  return {
    createHeaders(request) {
      const origin = findAllowedOrigin(request)
      if (!origin) return vary
      return [...vary, 'Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposedNames]
    },
    respondToPreflight(request, methods) {
      const isPreflight =
        request.method === 'OPTIONS' &&
        request.header('origin') !== undefined &&
        request.header('access-control-request-method') !== undefined
      if (!isPreflight) return undefined
      const rawHeaders = [
        'Access-Control-Allow-Methods',
        methods.join(', '),
        'Access-Control-Allow-Headers',
        [defaultAllowedHeaders, ...allowedHeaders].join(', '),
        'Access-Control-Max-Age',
        '7200', // 2 hours, the maximum in Chromium
      ]
      return { status: 204, rawHeaders: findAllowedOrigin(request) ? rawHeaders : [], body: undefined }
    },
  }
}

/** Checks whether a value is valid for the option `cors`. */
export function isCorsOption(option: unknown): boolean {
  const { origins, allowedHeaders = [], exposedHeaders = [], ...unknown } = toCorsOptions(option)
  const isListOf = (list: unknown, isValid: (entry: unknown) => boolean) =>
    Array.isArray(list) && list.every(isValid)
  return (
    (origins === '*' || isListOf(origins, isOrigin)) &&
    isListOf(allowedHeaders, isHeaderName) &&
    isListOf(exposedHeaders, isHeaderName) &&
    Object.keys(unknown).length === 0
  )
}

function toCorsOptions(option: unknown): CorsOptions {
  const optionObject: object = isObject(option) ? option : { origins: option }
  return optionObject as CorsOptions // `isCorsOption` validates the members
}

const isHeaderName = (value: unknown) => typeof value === 'string' && /^[\w-]+$/.test(value)

/** Checks whether a value is `*` or an origin as browsers send it: lower case, without a path or default port. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return value === '*' || (!value.includes('*') && URL.canParse(value) && new URL(value).origin === value)
}
