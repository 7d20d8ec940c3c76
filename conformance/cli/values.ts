/** Exit codes of a program that judged nothing. */
export const failureCodes = {
  /** The command line or a file is wrong. */
  usage: 2,
  /** The suite has a defect, or output was lost. */
  defect: 70,
} as const

/** Exit codes after an interrupt: 128 plus the signal's number. */
export const interruptCodes = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Thrown for a mistake in the command line or in a file. The message is one line that explains what is wrong and what
 * to do.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Thrown if a report or other output could not be written. */
export class LostOutputError extends Error {
  override readonly name = 'LostOutputError'
}

export function parseInteger(flag: string, text: string): bigint {
  if (/^-?\d+$/.test(text)) return BigInt(text)
  throw new UsageError(`--${flag} must be an integer`)
}

export function parseDecimal(flag: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new UsageError(`--${flag} must be a number, such as 2 or 0.5`)
}

/** Checks that a flag has one of the allowed values. */
export function parseChoice<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const matchingWord = words.find((word) => word === text)
  if (matchingWord === undefined) throw new UsageError(`--${flag} must be one of ${words.join(', ')}`)
  return matchingWord
}
