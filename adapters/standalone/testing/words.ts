import { tmpdir } from 'node:os'

/** Splits a command line at its spaces, but those of the folder for temporary files. */
export function wordsOf(commandLine: string): readonly string[] {
  return commandLine
    .replaceAll(tmpdir(), '\ue000')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('\ue000', tmpdir()))
}
