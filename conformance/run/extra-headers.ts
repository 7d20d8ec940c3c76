import type { Secret } from '../redact/redactor.ts'

/** The value of an additional header, and the text that replaces it in reports. */
export interface HeaderValue {
  /** The value that is sent. */
  readonly value: string
  /** The text in transcripts, reports and `curl` lines: the variable of a shell with the value, such as `$TENANT`. */
  readonly shown: string
  /** The parts of the value that are secret by themselves, each with its placeholder. */
  readonly parts?: readonly Secret[]
}

/** An additional header of every request. */
export interface ExtraHeader extends HeaderValue {
  readonly name: string
}

/** Names that the suite or HTTP itself determines. */
const reserved = new Set(
  (
    'accept accept-encoding authorization connection content-encoding content-length content-type expect host ' +
    'keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade'
  ).split(' '),
)

/** Text of one line, without spaces around it (RFC 9110, section 5.5). */
const headerValue = /^[\x21-\x7e\xa0-\xff]([\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/

/**
 * Reads the option `headers`. A value alone is shown as a variable that is named for the header.
 *
 * @throws {TypeError} A name or a value is not a valid header, is reserved, or is repeated. No message quotes a value.
 */
export function readExtraHeaders(
  headers: Readonly<Record<string, string | HeaderValue>> = {},
): readonly ExtraHeader[] {
  const names = new Set<string>()
  return Object.entries(headers).map(([given, value]) => {
    const name = given.toLowerCase()
    const problem =
      nameProblem(name) ?? (names.has(name) ? `has ${given} twice: join the values with a comma` : undefined)
    if (problem !== undefined) throw new TypeError(`headers ${problem}`)
    names.add(name)
    const header = typeof value === 'string' ? { value, shown: `$${createVariableName(name)}` } : value
    if (typeof header?.value !== 'string' || !headerValue.test(header.value)) {
      throw new TypeError(
        `headers must have a value for ${given}: text of one line, without spaces around it`,
      )
    }
    return { ...header, name }
  })
}

/** Returns the variable that is named for a header, such as `X_TENANT`. */
export function createVariableName(name: string): string {
  return name
    .toUpperCase()
    .replace(/\W/g, '_')
    .replace(/^(?=\d)/, '_')
}

/** Returns the variables that stand for values, such as `$TENANT`. */
export function findVariables(headers: readonly ExtraHeader[]): readonly string[] {
  const texts = headers.flatMap(({ shown, parts = [] }) =>
    parts.length > 0 ? parts.map(({ placeholder }) => placeholder) : [shown],
  )
  return [...new Set(texts.flatMap((text) => text.match(/\$\w+|\$\{\w+\}/g) ?? []))]
}

function nameProblem(name: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    return 'must have names such as X-Tenant: letters, digits and dashes'
  if (name === 'authorization') return 'must not have Authorization: the suite sends the key there'
  return reserved.has(name) ? `must not have ${name}: the suite determines it` : undefined
}
