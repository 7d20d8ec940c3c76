/** A JSON value. An integer is a `bigint`, in every notation, so that no digit is lost. */
export type Json = null | boolean | string | bigint | number | readonly Json[] | JsonObject

/**
 * The members of a JSON object. They are in one array, as a hostile body can have hundreds of thousands of objects, and
 * a Map takes three times the memory and time.
 */
export class JsonObject {
  /** Names and values in turn, in the order of the text. */
  readonly #members: readonly Json[]

  constructor(members: readonly Json[]) {
    this.#members = members
  }

  /** Returns the value of a member; `undefined` if it is missing. The last one of a repeated name counts. */
  get(name: string): Json | undefined {
    const members = this.#members
    for (let at = members.length - 2; at >= 0; at -= 2) {
      if (members[at] === name) return members[at + 1]
    }
    return undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Returns every member, also members with the same name. */
  *[Symbol.iterator](): Generator<readonly [name: string, value: Json]> {
    for (let at = 0; at < this.#members.length; at += 2) {
      // every other element is a name
      yield [this.#members[at] as string, this.#members[at + 1] ?? null]
    }
  }
}

/** Returns whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof JsonObject
}

/** Returns a value as JSON text without white space, integers digit for digit. */
export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`
}

/** Members and indexes that lead to a value in a JSON document. */
export type JsonPath = readonly (string | number)[]

/** The part of a response that breaks a rule: a header, by its name, or a value in the JSON body. */
export type Place = { readonly header: string } | { readonly path: JsonPath }

/** Returns a path in the notation of JSONPath (RFC 9535), such as `$[3].name`. */
export function formatPath(path: JsonPath): string {
  const parts = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`
    return /^[a-z_]\w*$/i.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`
  })
  return `$${parts.join('')}`
}
