/**
 * Formats a value as JSON, like `JSON.stringify`, with each bigint as a number with all its digits. `JSON.stringify`
 * alone throws `Do not know how to serialize a BigInt`.
 *
 * @throws {TypeError} If the value is circular.
 *
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
 * Replaces a bigint by a string with `#` and its digits, because Node 20 has no `JSON.rawJSON`. A string that looks
 * like one gets another `#`, which `toJson` removes. `this[key]` is still a bigint if a program has added
 * `BigInt.prototype.toJSON`.
 */
function markBigint(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const bigintValue = [this[key], value].find((one) => Object(one) instanceof BigInt)
  const isMarked = Object(value) instanceof String && /^#+-?\d+$/.test(String(value))
  return bigintValue !== undefined ? `#${bigintValue}` : isMarked ? `#${value}` : value
}
