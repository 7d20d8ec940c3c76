import { isObject } from '../base/json.ts'
import { isWholeNumber } from '../base/options.ts'
import { sha256 } from '../base/sha256.ts'
import { ApiError } from '../http/errors.ts'
import type { ServiceRequest } from '../http/http.ts'
import { type NewPet, petToJson } from './pet.ts'
import type { CreationKey } from './store.ts'

/** The header of a creation that its client may send again (draft-ietf-httpapi-idempotency-key-header-07). */
const headerName = 'idempotency-key'
/** Visible ASCII without `"` and `\`, in quotes or not. A mount joins repeated values by `, `, which does not match. */
export const idempotencyKeyValue: RegExp = /^("?)([!#-[\]-~]{1,255})\1$/
/** Default lifetime of an idempotency key, in milliseconds: 24 hours. */
const defaultKeepMs = 86_400_000

/** Options of idempotency keys. */
export interface IdempotencyOptions {
  /** Lifetime of an idempotency key in milliseconds: a whole number from 1; 86,400,000 (24 hours) by default. */
  readonly keepMs?: number
}

/** Returns whether a value is valid for the option `idempotency`. */
export function isIdempotencyOptions(value: unknown): boolean {
  if (!isObject(value)) return value === false
  const { keepMs = defaultKeepMs, ...others } = value
  return isWholeNumber(keepMs) && Object.keys(others).length === 0
}

/** Returns the name of an idempotency key in a store, which differs between callers; undefined without a key. */
export function readToken(request: ServiceRequest, caller: string): string | ApiError | undefined {
  const header = request.header(headerName)
  if (header === undefined) return undefined
  const key = idempotencyKeyValue.exec(header)?.[2]
  return key === undefined ? new ApiError('invalid_idempotency_key') : hash(`${key} ${caller}`)
}

/** Returns the key of the creation of an animal. White space and the order of members in its JSON do not count. */
export function createCreationKey(
  token: string,
  pet: NewPet,
  { keepMs = defaultKeepMs }: IdempotencyOptions,
  now: number,
): CreationKey {
  return { token, fingerprint: hash(petToJson({ ...pet, id: 0n })), now, expiresAt: now + keepMs }
}

/**
 * Creates a function that runs work under a token. While the first run is pending, others get an error. It holds no
 * more tokens than there are requests in flight.
 */
export function createGate(): <T>(token: string, work: () => Promise<T>) => Promise<T | ApiError> {
  const pending = new Set<string>()
  return async (token, work) => {
    if (pending.has(token)) return new ApiError('idempotency_key_in_use', undefined, ['Retry-After', '1'])
    pending.add(token)
    try {
      return await work()
    } finally {
      pending.delete(token)
    }
  }
}

/** Returns the SHA-256 of a text. What is not ASCII is escaped, and so is the character of an escape. */
function hash(text: string): string {
  return sha256(text.replace(/[^ -[\]-~]/g, (unit) => `\\${unit.charCodeAt(0)};`))
}
