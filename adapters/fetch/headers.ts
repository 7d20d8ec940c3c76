const isDeno = 'Deno' in globalThis

/** Deno adds headers to a response in a fifth of the time in which it makes one with them: a twentieth of getPet. */
export function withHeaders(body: string | undefined, status: number, headers: readonly string[]): Response {
  if (!isDeno) return new Response(body, initOf(status, headers))
  const response = new Response(body, { status })
  appendTo(response.headers, headers)
  return response
}

/** The last headers of each status and length, as a list, and the response that has them. */
const latest = new Map<number, { readonly list: string[]; readonly init: Response }>()

/**
 * Returns a response with a status and headers, which holds until the next call. Copying it and setting the few headers
 * that changed takes Bun a tenth of getPet less.
 */
function initOf(status: number, headers: readonly string[]): Response {
  const { list, init } = latest.get(1_000 * headers.length + status) ?? anew(status, headers)
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? ''
    const value = headers[i + 1] ?? ''
    if (name !== list[i]) return anew(status, headers).init
    if (value === list[i + 1]) continue
    init.headers.set(name, value)
    list[i + 1] = value
  }
  return init
}

function anew(
  status: number,
  headers: readonly string[],
): { readonly list: string[]; readonly init: Response } {
  const init = new Response(null, { status, headers: appendTo(new Headers(), headers) })
  const entry = { list: [...headers], init }
  const names = new Set(headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()))
  // A name that is repeated, such as `Set-Cookie`, cannot be set.
  if (2 * names.size === headers.length) latest.set(1_000 * headers.length + status, entry)
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
