/** What is bound to a statement: int64 as text. */
export type PostgresValue = string | number | null

/** A `Pool` or `Client` of pg, as it is, or anything alike. */
export interface PostgresClient {
  query(text: string, values?: PostgresValue[]): Promise<{ readonly rows: readonly unknown[] }>
}
