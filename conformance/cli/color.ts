/** Whether to write colours: FORCE_COLOR and NO_COLOR decide, else whether it is a terminal that knows them. */
export function usesColor(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean | undefined },
): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '')
    return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR) return false
  return stream.isTTY === true && env.TERM !== 'dumb'
}
