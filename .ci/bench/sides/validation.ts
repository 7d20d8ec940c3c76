import { type NewPet, type Status, statuses } from '../world.ts'
import type { PageQuery } from './peer-store.ts'

/** Validation for the frameworks that have none built in. Each function returns undefined for invalid input. */

export function checkQuery(query: Readonly<Record<string, unknown>>): PageQuery | undefined {
  const limit = query.limit === undefined ? 20 : Number(query.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return undefined
  const after = query.after === undefined ? 0 : Number(query.after)
  if (!Number.isSafeInteger(after)) return undefined
  if (query.status === undefined) return { limit, after }
  return isStatus(query.status) ? { limit, status: query.status, after } : undefined
}

export function checkBody(body: unknown): Partial<NewPet> | undefined {
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
