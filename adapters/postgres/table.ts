/** The names of the animals' table and its index, quoted for a statement. */
export interface Table {
  readonly name: string
  readonly index: string
}

/**
 * Reads a table name such as `pets` or `shelter.pets`.
 *
 * @throws {TypeError} It has other characters than lower-case letters, digits and underscores.
 */
export function tableNamed(option: string): Table {
  const [, schema = '', table] = /^([a-z_][a-z0-9_]{0,50}\.)?([a-z_][a-z0-9_]{0,50})$/.exec(option) ?? []
  if (table === undefined)
    throw new TypeError('options.table must be a name such as pets or shelter.pets, of a-z, 0-9 and _')
  return { name: `${schema && `"${schema.slice(0, -1)}".`}"${table}"`, index: `"${table}_by_status"` }
}
