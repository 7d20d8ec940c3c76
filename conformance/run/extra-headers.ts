import type { Secret } from '../redact/redactor.ts'

/** The value of an additional header, with the text that replaces it in reports. */
export interface HeaderValue {
  /** Value that is sent: one line, without leading or trailing spaces. */
  readonly value: string
  /**
   * Text that transcripts, reports and `curl` commands show instead: the shell variable with the value, such as
   * `$TENANT`.
   */
  readonly shown: string
  /** Parts of the value that are secrets on their own, each with its placeholder. */
  readonly parts?: readonly Secret[]
}

export interface ExtraHeader extends HeaderValue {
  readonly name: string
}

/** Headers that the suite sets itself, or that HTTP reserves. */
const reservedNames = new Set(
  (
    'accept accept-encoding authorization connection content-encoding content-length content-type expect host ' +
    'keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade'
  ).split(' '),
)

/** A field value in one line (RFC 9110, section 5.5). Bytes above ASCII are allowed. */
const headerValuePattern = /^[\x21-\x7e\xa0-\xff]([\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/

/**
 * Reads the option `headers`. A value without a placeholder is shown as a variable that is named after the header.
 *
 * @throws {TypeError} If a name or value is invalid or reserved, or a name was given twice. The message contains no
 * value.
 */
export function readExtraHeaders(
  headers: Readonly<Record<string, string | HeaderValue>> = {},
): readonly ExtraHeader[] {
  const seenNames = new Set<string>()
  return Object.entries(headers).map(([given, value]) => {
    const name = given.toLowerCase()
    const nameProblem =
      findNameProblem(name) ??
      (seenNames.has(name) ? `must not repeat ${given}: join the values with a comma` : undefined)
    if (nameProblem !== undefined) throw new TypeError(`headers ${nameProblem}`)
    seenNames.add(name)
    const header = typeof value === 'string' ? { value, shown: `$${toVariableName(name)}` } : value
    if (typeof header?.value !== 'string' || !headerValuePattern.test(header.value)) {
      throw new TypeError(
        `headers must have a value for ${given} on one line, without leading or trailing spaces`,
      )
    }
    return { ...header, name }
  })
}

/** Turns a header name into a shell variable's name: `x-tenant` becomes `X_TENANT`. */
export function toVariableName(name: string): string {
  return name
    .toUpperCase()
    .replace(/\W/g, '_')
    .replace(/^(?=\d)/, '_')
}

/** Lists the shell variables that a printed `curl` command needs for the headers. */
export function findVariables(headers: readonly ExtraHeader[]): readonly string[] {
  const replacements = headers.flatMap(({ shown, parts = [] }) =>
    parts.length > 0 ? parts.map(({ placeholder }) => placeholder) : [shown],
  )
  return [...new Set(replacements.flatMap((text) => text.match(/\$\w+|\$\{\w+\}/g) ?? []))]
}

function findNameProblem(name: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    return 'must have names of letters, digits and dashes, such as X-Tenant'
  if (name === 'authorization') return 'must not set Authorization: the suite sends the key in it'
  return reservedNames.has(name) ? `must not set ${name}: the suite sets it` : undefined
}
