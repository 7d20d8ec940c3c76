// What the Fastify and Hono servers share: keys, errors, headers and checks of the input.
import { createHash } from 'node:crypto'
import { key, type NewPet, type Pet, type Status, statuses } from '../world.ts'

export interface PageQuery {
  readonly limit: number
  readonly status?: Status | undefined
  readonly after?: number | undefined
}

export interface Page {
  readonly page: readonly Pet[]
  /** There is another page. */
  readonly hasMore: boolean
}

const hash = (token: string) => createHash('sha256').update(token).digest('hex')
const keys = new Set([hash(key)])

export const isKey = (token: string): boolean => keys.has(hash(token))

export const invalidRequest = { code: 'invalid', message: 'The request is not valid.', status: 400 } as const
export const notFound = { code: 'pet_not_found', message: 'There is no such animal.', status: 404 } as const

/** The headers that the interface requires of getPet. */
export const deprecation: readonly (readonly [name: string, value: string])[] = [
  ['Deprecation', '@1795132800'],
  ['Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
  ['Link', '</v1/pets>; rel="successor-version"'],
]

export function createNextLink({ limit, status }: PageQuery, { page }: Page): string {
  const filter = status ? `&status=${status}` : ''
  return `</v1/pets?limit=${limit}${filter}&after=${page.at(-1)?.id}>; rel="next"`
}

export function parseQuery(query: Readonly<Record<string, unknown>>): PageQuery | undefined {
  const limit = query.limit === undefined ? 20 : Number(query.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return undefined
  const after = query.after === undefined ? 0 : Number(query.after)
  if (!Number.isSafeInteger(after)) return undefined
  if (query.status === undefined) return { limit, after }
  return isStatus(query.status) ? { limit, status: query.status, after } : undefined
}

export function parseBody(body: unknown): NewPet | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { name, categoryId, status = 'available' } = body as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || typeof categoryId !== 'number' || !Number.isInteger(categoryId))
    return undefined
  return isStatus(status) ? { name, categoryId, status } : undefined
}

function isStatus(value: unknown): value is Status {
  return statuses.some((status) => status === value)
}
