/** Whether to write colours: FORCE_COLOR decides, then NO_COLOR, then whether the stream is a terminal with colours. */
export function usesColor(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean | undefined },
): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '')
    return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR) return false
  return stream.isTTY === true && env.TERM !== 'dumb'
}
