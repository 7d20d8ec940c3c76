import fc from 'fast-check'
import type { JsonPath } from '../transcript/json.ts'

/** Values that are wrong in most places, and right in some. */
const values: readonly unknown[] = [
  ...[null, true, [], {}, -1, 0, 429, 1e15, 0.5],
  ...['', 'a'.repeat(300), '\u0000\ud800', '//', '/pets?limit=%zz'],
  ...['[[[[', '[{"id":1e999}]', '[null]', '{"id":9007199254740993,"name":"x","categoryId":1}'],
  ...['list', 'burn-1', 'none', 'PUT', '9999-12-31T23:59:59Z', '2026-02-31T00:00:00Z', 'https://a b/v1'],
  ...[[['a', 'b']], [['x-ratelimit-reset', '9'.repeat(400)]], [['retry-after', '1e9']], [['date', 'x']]],
]

/** Returns copies of a document with one to three values, anywhere, replaced or deleted. */
export function edits(document: unknown): fc.Arbitrary<unknown> {
  const edit = fc.tuple(
    fc.constantFrom(...pathsOf(document, [])),
    fc.option(fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...values)), { nil: undefined }),
  )
  return fc
    .array(edit, { minLength: 1, maxLength: 3 })
    .map((all) => all.reduce((edited, [path, value]) => withValue(edited, path, value), document))
}

/** Returns the paths of all values in a JSON document, the document itself included. */
function* pathsOf(value: unknown, path: JsonPath): Generator<JsonPath> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value))
    yield* pathsOf(member, [...path, Array.isArray(value) ? Number(name) : name])
}

/** Returns a copy of a document with another value at a path, or without it; unchanged if the path leads nowhere. */
function withValue(document: unknown, [first, ...rest]: JsonPath, value: unknown): unknown {
  if (first === undefined) return value ?? null
  if (typeof document !== 'object' || document === null) return document
  const copy = Array.isArray(document) ? [...document] : { ...document }
  const members = copy as Record<string | number, unknown> // arrays have members by their indexes
  if (rest.length > 0) members[first] = withValue(members[first], rest, value)
  else if (value !== undefined) members[first] = value
  else if (Array.isArray(copy)) copy.splice(Number(first), 1)
  else delete members[first]
  return copy
}
