/** The parts of what `Deno.serve` and `Bun.serve` pass with a request that name the peer. */
interface PlatformInfo {
  readonly remoteAddr?: { readonly hostname?: string }
  requestIP?(request: Request): { readonly address: string } | null
}

/** Returns the address of the peer on Deno and Bun; undefined on other platforms. */
export function peerAddress(request: Request, info: unknown): string | undefined {
  if (typeof info !== 'object' || info === null) return undefined
  const platform = info as PlatformInfo // every member is optional, and checked before its use
  return platform.remoteAddr?.hostname ?? platform.requestIP?.(request)?.address
}
