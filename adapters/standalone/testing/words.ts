import { tmpdir } from 'node:os'

/** Splits a command line at its spaces, but those of the folder for temporary files. */
export function wordsOf(commandLine: string): readonly string[] {
  return commandLine
    .replaceAll(tmpdir(), '\u{10ffff}')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('\u{10ffff}', tmpdir()))
}
