/**
 * Returns a value as JSON, as `JSON.stringify` does, with each bigint as a JSON number of the same digits. `JSON.stringify`
 * alone throws `Do not know how to serialize a BigInt`.
 *
 * @throws {TypeError} The value contains itself.
 * @example
 * import { toJson } from 'pet-adoption-service'
 *
 * toJson({ id: 9007199254740993n, name: 'Mia' }) // '{"id":9007199254740993,"name":"Mia"}'
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, markBigint)?.replace(
    /(^|[[,:])"(#*)#(-?\d+)"(?!:)/g,
    (_, before, marks, digits) => before + (marks ? `"${marks}${digits}"` : digits),
  )
}

/**
 * Replaces a bigint by `#` and its digits, as Node 20 has no `JSON.rawJSON`. A string of that form gets one more `#`, which
 * is removed again. `this[key]` is the bigint itself, even if a program has added `BigInt.prototype.toJSON`.
 */
function markBigint(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const original = this[key]
  const isMarked = Object(value) instanceof String && /^#+-?\d+$/.test(String(value))
  return typeof original === 'bigint' ? `#${original}` : isMarked ? `#${value}` : value
}
