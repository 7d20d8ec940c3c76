/** The names of the tables and the index, quoted for a statement. */
export interface Table {
  readonly name: string
  /** The index of the animals by their status. */
  readonly index: string
  /** The keys of callers. */
  readonly apiKeys: string
  /** The creations with an idempotency key. */
  readonly creations: string
}

/**
 * Reads a table name such as `pets` or `shelter.pets`.
 *
 * @throws {TypeError} The name has other characters than lower-case letters, digits and underscores.
 */
export function toTable(option: string): Table {
  const [, schema = '', table] = /^([a-z_][a-z0-9_]{0,50}\.)?([a-z_][a-z0-9_]{0,50})$/.exec(option) ?? []
  if (table === undefined)
    throw new TypeError('options.table must be a name such as pets or shelter.pets, of a-z, 0-9 and _')
  const prefix = schema && `"${schema.slice(0, -1)}".`
  return {
    name: `${prefix}"${table}"`,
    index: `"${table}_by_status"`,
    apiKeys: `${prefix}"${table}_api_keys"`,
    creations: `${prefix}"${table}_creations"`,
  }
}
