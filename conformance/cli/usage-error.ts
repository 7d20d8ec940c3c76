/** A mistake on the command line or in a file named there: one line that says what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
