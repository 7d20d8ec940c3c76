import { type NewAnimal, type Status, statuses } from '../world.ts'
import type { PageQuery } from './peer-store.ts'

/** The validation of the peers that bring none: undefined for what is invalid. */

export function checkQuery(query: Readonly<Record<string, unknown>>): PageQuery | undefined {
  const limit = query.limit === undefined ? 20 : Number(query.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return undefined
  if (query.status === undefined) return { limit }
  return isStatus(query.status) ? { limit, status: query.status } : undefined
}

export function checkBody(body: unknown): Partial<NewAnimal> | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { name, categoryId, status }: { name?: unknown; categoryId?: unknown; status?: unknown } = body
  if (typeof name !== 'string' || typeof categoryId !== 'number' || !Number.isInteger(categoryId))
    return undefined
  if (status === undefined) return { name, categoryId }
  return isStatus(status) ? { name, categoryId, status } : undefined
}

function isStatus(value: unknown): value is Status {
  return statuses.some((status) => status === value)
}
