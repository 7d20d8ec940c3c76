/** The schema versions of a database before and after a migration. Version 0 is one without the tables. */
export interface SchemaVersions {
  readonly from: number
  readonly to: number
}
