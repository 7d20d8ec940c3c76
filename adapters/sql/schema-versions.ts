/** The schema versions of a database before and after a migration. Version 0 is one without the tables. */
export interface SchemaVersions {
  readonly from: number
  readonly to: number
  /** The tables that a later version had left and the migration has adopted, without their rows; absent where there were none. */
  readonly emptied?: readonly string[]
}
