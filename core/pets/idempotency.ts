import { isObject } from '../base/json.ts'
import { isWholeNumber } from '../base/options.ts'
import { sha256 } from '../base/sha256.ts'
import { ApiError } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import { type NewPet, petToJson } from './pet.ts'
import type { CreationKey } from './store.ts'

const idempotencyKeyHeader = 'idempotency-key'
/**
 * A valid `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): 1 to 255 visible ASCII characters except
 * `"` and `\`, with or without quotes. Repeated headers do not match, because they are joined by a comma.
 */
export const idempotencyKeyPattern: RegExp = /^("?)([!#-[\]-~]{1,255})\1$/
const defaultTtlMs = 86_400_000

/** Options for idempotency keys. */
export interface IdempotencyOptions {
  /**
   * How long an idempotency key is remembered, in milliseconds, an integer from 1. 86,400,000 (24 hours) by default.
   */
  readonly ttlMs?: number
}

/** Checks whether a value is valid for the option `idempotency`. */
export function isIdempotencyOptions(value: unknown): boolean {
  if (!isObject(value)) return value === false
  const { ttlMs = defaultTtlMs, ...others } = value
  return isWholeNumber(ttlMs) && Object.keys(others).length === 0
}

/**
 * Returns the token under which a store remembers an idempotency key, which differs between callers. Returns
 * `undefined` for a request without the header, or an error for an invalid value.
 */
export function readToken(request: ServiceRequest, caller: string): string | ApiError | undefined {
  const header = request.header(idempotencyKeyHeader)
  if (header === undefined) return undefined
  const key = idempotencyKeyPattern.exec(header)?.[2]
  return key === undefined ? new ApiError('invalid_idempotency_key') : hashUnicode(`${key} ${caller}`)
}

/**
 * Creates the key by which a store compares creations. The same animal has the same fingerprint, whatever white space
 * or member order the request has.
 */
export function createCreationKey(
  token: string,
  pet: NewPet,
  { ttlMs = defaultTtlMs }: IdempotencyOptions,
  now: number,
): CreationKey {
  return { token, fingerprint: hashUnicode(petToJson({ ...pet, id: 0n })), now, expiresAt: now + ttlMs }
}

/** Creates a function that runs `work`. If work for the same token is in flight, the function returns a 409 instead. */
export function createConcurrencyGuard(): <T>(
  token: string,
  work: () => Promise<T>,
) => Promise<T | ApiError> {
  const pendingKeys = new Set<string>()
  return async (token, work) => {
    if (pendingKeys.has(token)) return new ApiError('idempotency_key_in_use', undefined, ['Retry-After', '1'])
    pendingKeys.add(token)
    try {
      return await work()
    } finally {
      pendingKeys.delete(token)
    }
  }
}

/** Hashes any string. `sha256` requires ASCII, so other characters are escaped. */
function hashUnicode(text: string): string {
  return sha256(text.replace(/[^ -[\]-~]/g, (unit) => `\\${unit.charCodeAt(0)};`))
}
