import type { Style } from '../report/ansi.ts'
import { usesColor } from './color.ts'
import type { Sink } from './process-context.ts'

/** Returns how text looks on a stream: with colour if the environment allows it, and as wide as the terminal. */
export function styleOf(
  sink: Sink,
  env: Readonly<Record<string, string | undefined>>,
  isQuiet: boolean,
): Style {
  const { isTTY, columns } = sink
  return {
    color: usesColor(env, sink),
    ...(isTTY && columns !== undefined && { columns }),
    ...(isQuiet && { isQuiet }),
  }
}
