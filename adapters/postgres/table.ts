/** The quoted names for a store's tables, and for the index that lists by status use. */
export interface TableNames {
  readonly name: string
  /** PostgreSQL creates the index in the table's schema. */
  readonly statusIndex: string
  readonly apiKeys: string
  /** Table for idempotency keys. */
  readonly creations: string
}

/**
 * Returns the names that derive from the option `table`.
 *
 * @throws {TypeError} If the option is not a table name with only lower-case letters, digits and underscores.
 */
export function toTableNames(option: string): TableNames {
  const [, schema = '', table] = /^([a-z_][a-z0-9_]{0,50}\.)?([a-z_][a-z0-9_]{0,50})$/.exec(option) ?? []
  if (table === undefined)
    throw new TypeError(
      'options.table must be a table name such as pets or shelter.pets, with only a-z, 0-9 and _',
    )
  const prefix = schema && `"${schema.slice(0, -1)}".`
  return {
    name: `${prefix}"${table}"`,
    statusIndex: `"${table}_by_status"`,
    apiKeys: `${prefix}"${table}_api_keys"`,
    creations: `${prefix}"${table}_creations"`,
  }
}
