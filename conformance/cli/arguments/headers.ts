import type { HeaderValue } from '../../index.ts'
import type { Secret } from '../../redact/secret.ts'
import { variableFor } from '../../run/extra-headers.ts'
import { UsageError } from './errors.ts'

/** `$$`, `$NAME` or `${NAME}`. */
const reference = /\$(?:(\$)|(\w+)|\{(\w+)\})/g

/**
 * Reads the values of `--header`: `Name: value`, in which `$NAME` and `${NAME}` stand for a variable of the environment,
 * and `$$` for a dollar sign.
 *
 * @throws {UsageError} A value has no colon, or a variable is not set. No message quotes a value.
 */
export function readHeaders(
  texts: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, HeaderValue>> {
  const headers: Record<string, HeaderValue> = {}
  for (const [index, text] of texts.entries()) {
    const [, name, template] = /^([^:]*?)[ \t]*:(.*)$/s.exec(text) ?? []
    if (name === undefined || template === undefined) {
      throw new UsageError(`--header number ${index + 1} must be 'Name: value', such as 'X-Tenant: $TENANT'`)
    }
    if (Object.keys(headers).some((other) => other.toLowerCase() === name.toLowerCase())) {
      throw new UsageError(`--header has ${name} twice: join the values with a comma`)
    }
    headers[name] = filled(name, template.trim(), env)
  }
  return headers
}

function filled(
  name: string,
  template: string,
  env: Readonly<Record<string, string | undefined>>,
): HeaderValue {
  const parts: Secret[] = []
  const value = template.replace(reference, (whole, dollar?: string, plain?: string, braced?: string) => {
    if (dollar !== undefined) return dollar
    const variable = plain ?? braced ?? ''
    const found = env[variable]
    if (!found) throw new UsageError(`--header ${name} names the variable ${variable}, which is not set`)
    parts.push({ value: found, placeholder: whole })
    return found
  })
  // what is written out may be secret, too
  return parts.length === 0
    ? { value, shown: `$${variableFor(name)}` }
    : { value, shown: template.replaceAll('$$', '$'), parts }
}
