/** A subject of the benchmark, which the command line names. */
export interface Command {
  readonly title: string
  /** The lines of help for its flags. */
  readonly flags?: string
  /**
   * Reads the arguments behind the subject. Returns what measures, and resolves with the exit code: 1 if a target is missed.
   *
   * @throws Error if a flag is unknown or a value is invalid.
   */
  read(args: readonly string[]): () => Promise<number>
}
