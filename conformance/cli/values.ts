/** The exit codes of a program that judged nothing. `exitCode` has the codes of a report. */
export const failureCodes = {
  /** The command line, or a file named there, is wrong. */
  usage: 2,
  /** The suite itself has a defect, or a report could not be written. */
  defect: 70,
} as const

/** A mistake on the command line or in a file named there. Its message is one line: what is wrong, and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A report, or another text that was asked for, could not be written. */
export class LostOutputError extends Error {
  override readonly name = 'LostOutputError'
}

/** Reads a whole number of any size. Throws a UsageError that names the flag. */
export function parseInteger(flag: string, text: string): bigint {
  if (/^-?\d+$/.test(text)) return BigInt(text)
  throw new UsageError(`--${flag} must be a whole number`)
}

/** Reads a decimal number. Throws a UsageError that names the flag. */
export function parseDecimal(flag: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new UsageError(`--${flag} must be a number, such as 2 or 0.5`)
}

/** Reads one of a few words. Throws a UsageError that names the flag and the words. */
export function oneOf<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text)
  if (found === undefined) throw new UsageError(`--${flag} must be one of ${words.join(', ')}`)
  return found
}
