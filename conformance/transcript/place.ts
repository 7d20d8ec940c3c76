/** Members and indexes that lead to a value in a JSON document. */
export type JsonPath = readonly (string | number)[]

/** The part of a response that breaks a rule: a header, by its name, or a value in the JSON body. */
export type Place = { readonly header: string } | { readonly path: JsonPath }

/** Returns a path in the notation of JSONPath (RFC 9535), such as `$[3].name`. */
export function pathText(path: JsonPath): string {
  const parts = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`
    return /^[a-z_]\w*$/i.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`
  })
  return `$${parts.join('')}`
}
