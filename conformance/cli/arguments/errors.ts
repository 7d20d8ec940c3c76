/** The exit codes of a program that judged nothing; those of a report are in `exitCode`. */
export const failureCodes = {
  /** The command line, or a file named there, is wrong. */
  usage: 2,
  /** The suite itself has a defect. */
  defect: 70,
} as const

/** A mistake on the command line or in a file named there. Its message is one line: what is wrong, and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
