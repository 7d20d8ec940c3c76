import type { Clock } from './clock.ts'
import { type Call, callerOf, errorReply, type Reply, readCall } from './exchange.ts'
import type { Standing } from './limiter.ts'
import { operate } from './operations.ts'
import { createWorld, type World } from './world.ts'

/** What a variant puts around the reference: it sees every call and every reply, headers of the limits included. */
export type Around = (call: Call, next: (call: Call) => Reply, world: World) => Reply | Promise<Reply>

/** A change to the reference deployment. */
export interface Change {
  readonly prepare?: (world: World) => void
  readonly around?: Around
}

/** A Fetch-style handler. */
export type Handler = (request: Request) => Promise<Response>

/**
 * A small deployment of the interface with state of its own, written from the spec alone: it shares no code with the
 * service and none with the suite that judges it. Without a change it keeps every rule.
 */
export function createDeployment(clock: Clock, change: Change = {}): Handler {
  const world = createWorld(clock)
  change.prepare?.(world)
  const next = (call: Call): Reply => answer(call, world)
  const around = change.around ?? next
  return async (request) => {
    world.requests += 1
    const { status, headers, body } = await around(await readCall(request, world), next, world)
    const bytes = body === '' ? null : new TextEncoder().encode(body)
    return new Response(bytes, { status, headers: { ...headers } })
  }
}

function answer(call: Call, world: World): Reply {
  const now = world.clock.now()
  const caller = callerOf(call)
  const standing = world.limiter(caller, now)
  const reply =
    standing.wait > 0 ? refusal(standing) : caller === 'anonymous' ? unauthorized() : operate(call, world)
  return {
    ...reply,
    headers: {
      ...reply.headers,
      ...limitHeaders(standing),
      date: new Date(now).toUTCString(),
    },
  }
}

function limitHeaders({ limit, remaining, reset }: Standing): Reply['headers'] {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
  }
}

function refusal({ wait }: Standing): Reply {
  return errorReply(429, 'too_many_requests', 'Slow down.', {
    'retry-after': String(Math.ceil(wait / 1000)),
  })
}

function unauthorized(): Reply {
  return errorReply(401, 'unauthorized', 'Send a valid API key as a bearer token.', {
    'www-authenticate': 'Bearer',
  })
}
