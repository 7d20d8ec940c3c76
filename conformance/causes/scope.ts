import type { RecordedResponse } from '../transcript/responses.ts'

/** Some of the responses of a run in words, as the subject of a sentence. */
export interface Scope {
  /** Such as `every response`, `every 401` or `3 of 31 responses`. */
  readonly text: string
  readonly isPlural: boolean
}

/**
 * Describes some of the responses of a run.
 *
 * @param noun What `all` are: a response, or an error.
 */
export function scopeOf(
  some: readonly RecordedResponse[],
  all: readonly RecordedResponse[],
  noun: 'response' | 'error' = 'response',
): Scope {
  const included = new Set(some.map(({ id }) => id))
  const groups: readonly (readonly [name: string, members: readonly RecordedResponse[]])[] = [
    [noun, all],
    ['error', all.filter(({ response }) => response.status >= 400)],
    ['success', all.filter(({ response }) => response.status < 300)],
    ...[...new Set(some.map(({ response }) => String(response.status)))].map(
      (status) => [status, all.filter(({ response }) => String(response.status) === status)] as const,
    ),
  ]
  const exact = groups.find(
    ([, members]) => members.length === included.size && members.every(({ id }) => included.has(id)),
  )
  return exact === undefined
    ? { text: `${included.size} of ${all.length} ${noun}s`, isPlural: true }
    : { text: `every ${exact[0]}`, isPlural: false }
}

/** Returns a scope as the first words of a sentence, with the verb that goes with it. */
export function subject({ text, isPlural }: Scope, one: string, several: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} ${isPlural ? several : one}`
}
