/**
 * A JSON value. Integers up to 2^64 are `bigint`, also if they are written as `7.0` or `7e0`. Other numbers are
 * `number`.
 */
export type Json = null | boolean | string | bigint | number | readonly Json[] | JsonObject

/**
 * A JSON object, stored as one array. A `Map` takes three times the memory and time, which matters for a hostile body
 * with hundreds of thousands of objects.
 */
export class JsonObject {
  /** Names and values, alternating. */
  readonly #members: readonly Json[]

  constructor(members: readonly Json[]) {
    this.#members = members
  }

  /** Returns a member's value, or `undefined` if the member does not exist. */
  get(name: string): Json | undefined {
    const members = this.#members
    for (let at = 0; at < members.length; at += 2) if (members[at] === name) return members[at + 1]
    return undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  *[Symbol.iterator](): Generator<readonly [name: string, value: Json]> {
    for (let at = 0; at < this.#members.length; at += 2) {
      // names have even indexes
      yield [this.#members[at] as string, this.#members[at + 1] ?? null]
    }
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof JsonObject
}

/** A path in a JSON document: member names and element indexes. */
export type JsonPath = readonly (string | number)[]

/** Where a problem is in a response: in a header, or at a path in the JSON body. */
export type Place = { readonly header: string } | { readonly path: JsonPath }

/** Formats a path as JSONPath (RFC 9535), such as `$[3].name`. */
export function formatPath(path: JsonPath): string {
  const pathParts = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`
    return /^[a-z_]\w*$/i.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`
  })
  return `$${pathParts.join('')}`
}
