import { Misuse } from '../../core/internal.ts'

/** Globals that tell the platforms apart. */
interface Platform {
  readonly Deno?: unknown
  readonly Bun?: unknown
  readonly process?: { readonly versions?: { readonly node?: string } }
  readonly navigator?: { readonly userAgent?: string }
}

const { Deno, Bun, process, navigator } = globalThis as Platform

/**
 * The requests of one turn of the event loop are handled together: of 32 connections, getPet takes Deno a sixth and Bun
 * a fifth less. On Workers, which may have the globals of Node, a request must not wait for the promise of another.
 */
export const sharesTurns: boolean =
  Deno !== undefined ||
  Bun !== undefined ||
  (process?.versions?.node !== undefined && navigator?.userAgent !== 'Cloudflare-Workers')

/** What `Deno.serve` and `Bun.serve` pass with a request: the one has the peer's address, the other returns it. */
type PlatformInfo =
  | { readonly remoteAddr: { readonly hostname?: string } }
  | { requestIP(request: Request): { readonly address: string } | null }

/** Returns whether a value is what a platform passes with the address of a peer. */
export function hasPeer(info: unknown): info is PlatformInfo {
  return typeof info === 'object' && info !== null && ('remoteAddr' in info || 'requestIP' in info)
}

/** Creates the function that reads the address of the peer on Deno and Bun, and reports once that nothing has one. */
export function createPeerReader(
  report: (cause: unknown) => void,
): (request: Request, info: unknown) => string | undefined {
  let isTold = false
  return (request, info) => {
    if (hasPeer(info))
      return 'remoteAddr' in info ? info.remoteAddr.hostname : info.requestIP(request)?.address
    if (!isTold) report(new Misuse(noPeer))
    isTold = true
    return undefined
  }
}

const noPeer =
  'No client address: all anonymous clients share one limit. Pass what Deno.serve or Bun.serve pass with a request on to the handler of createFetchHandler, or set its option client.'
