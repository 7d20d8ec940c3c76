const isDeno = 'Deno' in globalThis

/** Deno adds headers to a response in a fifth of the time in which it makes one with them: a twentieth of getPet. */
export function withHeaders(body: string | undefined, status: number, headers: readonly string[]): Response {
  if (!isDeno) return new Response(body, { status, headers: fieldsOf(headers) })
  const response = new Response(body, { status })
  appendTo(response.headers, headers)
  return response
}

/** The last headers of each length, as a list and as an object. */
const latest = new Map<number, { readonly list: string[]; readonly fields: Headers }>()

/** Returns headers that hold until the next call. Setting the few that changed takes Bun a tenth of getPet less. */
function fieldsOf(headers: readonly string[]): Headers {
  const { list, fields } = latest.get(headers.length) ?? anew(headers)
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? ''
    const value = headers[i + 1] ?? ''
    if (name !== list[i]) return anew(headers).fields
    if (value === list[i + 1]) continue
    fields.set(name, value)
    list[i + 1] = value
  }
  return fields
}

function anew(headers: readonly string[]): { readonly list: string[]; readonly fields: Headers } {
  const entry = { list: [...headers], fields: appendTo(new Headers(), headers) }
  const names = new Set(headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()))
  // A name that is repeated, such as `Set-Cookie`, cannot be set.
  if (2 * names.size === headers.length) latest.set(headers.length, entry)
  return entry
}

const isType = /^content-type$/i

/** Appends names and values in turn, but replaces the media type, which a text has of its own. */
export function appendTo(fields: Headers, headers: readonly string[]): Headers {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? ''
    fields[isType.test(name) ? 'set' : 'append'](name, headers[i + 1] ?? '')
  }
  return fields
}
