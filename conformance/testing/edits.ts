import fc from 'fast-check'
import type { JsonPath } from '../transcript/json.ts'

/** Values that readers of JSON, URLs and dates may not expect. */
const unexpectedValues: readonly unknown[] = [
  ...[null, true, [], {}, -1, 0, 429, 1e15, 0.5],
  ...['', 'a'.repeat(300), '\u0000\ud800', '//', '/pets?limit=%zz'],
  ...['[[[[', '[{"id":1e999}]', '[null]', '{"id":9007199254740993,"name":"x","categoryId":1}'],
  ...['list', 'burn-1', 'none', 'PUT', '9999-12-31T23:59:59Z', '2026-02-31T00:00:00Z', 'https://a b/v1'],
  ...[[['a', 'b']], [['x-ratelimit-reset', '9'.repeat(400)]], [['retry-after', '1e9']], [['date', 'x']]],
]

/** Generates copies of a document with one to three values replaced or removed. */
export function createEdits(document: unknown): fc.Arbitrary<unknown> {
  const arbitraryEdit = fc.tuple(
    fc.constantFrom(...listPaths(document, [])),
    fc.option(fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...unexpectedValues)), {
      nil: undefined,
    }),
  )
  return fc
    .array(arbitraryEdit, { minLength: 1, maxLength: 3 })
    .map((all) => all.reduce((edited, [path, value]) => replaceValue(edited, path, value), document))
}

function* listPaths(value: unknown, path: JsonPath): Generator<JsonPath> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value))
    yield* listPaths(member, [...path, Array.isArray(value) ? Number(name) : name])
}

/** Returns a copy with another value at the path, or without the value. A path that does not exist changes nothing. */
function replaceValue(document: unknown, [first, ...rest]: JsonPath, value: unknown): unknown {
  if (first === undefined) return value ?? null
  if (typeof document !== 'object' || document === null) return document
  const documentCopy = Array.isArray(document) ? [...document] : { ...document }
  const members = documentCopy as Record<string | number, unknown> // arrays have members by index
  if (rest.length > 0) members[first] = replaceValue(members[first], rest, value)
  else if (value !== undefined) members[first] = value
  else if (Array.isArray(documentCopy)) documentCopy.splice(Number(first), 1)
  else delete members[first]
  return documentCopy
}
