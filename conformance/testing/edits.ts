import fc from 'fast-check'
import type { JsonPath } from '../transcript/place.ts'

/** Returns the paths of all values in a JSON document, the document itself included. */
function* pathsOf(value: unknown, path: JsonPath): Generator<JsonPath> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value))
    yield* pathsOf(member, [...path, Array.isArray(value) ? Number(name) : name])
}

/** Returns a copy of a document in which one value is replaced, or deleted if there is no other. */
function edited(document: unknown, [first, ...rest]: JsonPath, value: unknown): unknown {
  if (first === undefined) return value ?? null
  const copy = Array.isArray(document) ? [...document] : { ...(document as object) } // the path leads through it
  const members = copy as Record<string | number, unknown> // arrays have members by their indexes
  if (rest.length > 0) members[first] = edited(members[first], rest, value)
  else if (value !== undefined) members[first] = value
  else if (Array.isArray(copy)) copy.splice(Number(first), 1)
  else delete members[first]
  return copy
}

/** Values that are wrong in most places, and right in some. */
const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...[
      -1,
      0,
      1,
      429,
      1e15,
      1e308,
      0.5,
      '',
      'x',
      '\u0000\ud800',
      '/pets',
      '/pets/%',
      '//',
      '/pets?limit=%zz',
      '-5',
    ],
    ...[
      '[',
      '[[[[',
      '[{"id":1e999}]',
      '{"id":9007199254740993,"name":"x","categoryId":1}',
      '[null]',
      '0',
      '" "',
    ],
    ...[
      'list',
      'list-100',
      'burn-1',
      'after-burn',
      'get-created',
      'key',
      'none',
      'throttle-key',
      'GET',
      'POST',
      'PUT',
    ],
    ...['9999-12-31T23:59:59Z', '2026-02-31T00:00:00Z', '2030-12-06T00:00:00Z', 'http://[', 'https://a b/v1'],
    ...[
      null,
      true,
      false,
      [],
      {},
      [['a', 'b']],
      [['Content-Type', 'application/json']],
      [['x-ratelimit-reset', '9'.repeat(400)]],
    ],
    ...[[['retry-after', '1e9']], [['date', 'x']], [['x-ratelimit-remaining', '-1']], 'a'.repeat(300)],
  ),
)

/** Returns documents in which one to three values, anywhere, are replaced or deleted. */
export function edits(document: unknown): fc.Arbitrary<unknown> {
  const paths = [...pathsOf(document, [])]
  const edit = fc.tuple(fc.constantFrom(...paths), fc.option(values, { nil: undefined }))
  return fc.array(edit, { minLength: 1, maxLength: 3 }).map((all) =>
    all.reduce((document, [path, value]) => {
      const exists = path.every((_, depth) => leads(document, path.slice(0, depth)))
      return exists ? edited(document, path, value) : document
    }, document),
  )
}

/** Whether a path leads to an object or an array. */
function leads(document: unknown, path: JsonPath): boolean {
  let value = document
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return false
    value = (value as Record<string | number, unknown>)[part] // an object or an array
  }
  return typeof value === 'object' && value !== null
}
