import { createMemoryLimiter, type Limit } from '../../../core/index.ts'

/** How a limit could be counted by several servers. */
export const schemes = {
  own: 'each server has the whole limit, as without `--redis`',
  share: 'each of N servers has an N-th of the limit',
  lease: 'a server takes several requests at a time from the shared limit, and holds them for ten seconds',
} as const

export type Scheme = keyof typeof schemes

/** How the requests of one client reach the servers. */
export const balances = {
  turn: 'in turn',
  random: 'at random',
  sticky: 'on 8 connections, each to a random server',
  one: 'on one connection',
} as const

export type Balance = keyof typeof balances

export interface Traffic {
  readonly servers: number
  readonly balance: Balance
  /** The mean rate of a client as a share of its limit. Requests arrive independently of each other. */
  readonly demand: number
}

/** How one client fares, compared with a limit that all servers share exactly. */
export interface Fairness {
  /** Requests that are rejected although the shared limit admits as many, as a share of those that it admits. */
  readonly wronglyRejected: number
  /** Requests that are admitted beyond those that the shared limit admits, as a share of these. */
  readonly wronglyAdmitted: number
  /** Calls of Redis for each request that is admitted. */
  readonly calls: number
}

/** What the simulation assumes besides: the plan business, and so many clients, each for so many minutes. */
export const setting = { limit: 1_000, clients: 20, minutes: 5, leaseMs: 10_000 } as const

/** The largest share of a limit that all servers together hold in leases. */
const leasedShare = 0.1

const windowMs = 60_000
const connections = 8

/**
 * Simulates clients with the limiter of the package.
 *
 * @param random Returns numbers from 0 to below 1.
 */
export function simulate(traffic: Traffic, scheme: Scheme, random: () => number): Fairness {
  let [exact, admitted, calls] = [0, 0, 0]
  for (let client = 0; client < setting.clients; client++) {
    let now = 0
    const clock = () => now
    const admitsExactly = limiterOf(setting.limit, clock)
    const counted = schemesBy[scheme](traffic.servers, clock)
    const serverOf = chooser(traffic, random)
    const meanMs = windowMs / (setting.limit * traffic.demand)
    while (now < setting.minutes * windowMs) {
      now += -Math.log(1 - random()) * meanMs
      if (admitsExactly()) exact++
      if (counted.admits(serverOf())) admitted++
    }
    calls += counted.calls()
  }
  return {
    wronglyRejected: Math.max(0, exact - admitted) / exact,
    wronglyAdmitted: Math.max(0, admitted - exact) / exact,
    calls: calls / admitted,
  }
}

interface Counted {
  admits(server: number): boolean
  calls(): number
}

const schemesBy: Readonly<Record<Scheme, (servers: number, clock: () => number) => Counted>> = {
  own: (servers, clock) => alone(servers, setting.limit, clock),
  // Rounded up: a server with a limit of 0 would serve nobody.
  share: (servers, clock) => alone(servers, Math.ceil(setting.limit / servers), clock),
  lease: leases,
}

function alone(servers: number, limit: number, clock: () => number): Counted {
  const limiters = Array.from({ length: servers }, () => limiterOf(limit, clock))
  return { admits: (server) => limiters[server]?.() ?? false, calls: () => 0 }
}

/** What a server does not use of a lease in its time is lost. */
function leases(servers: number, clock: () => number): Counted {
  const takeOne = limiterOf(setting.limit, clock)
  const size = Math.max(1, Math.floor((setting.limit * leasedShare) / servers))
  const held = Array.from({ length: servers }, () => ({ left: 0, until: 0 }))
  let calls = 0
  return {
    admits(server) {
      const lease = held[server]
      if (!lease) return false
      if (clock() >= lease.until) lease.left = 0
      if (lease.left === 0) {
        while (lease.left < size && takeOne()) lease.left++
        lease.until = clock() + setting.leaseMs
        if (lease.left > 0) calls++ // a rejected key is remembered until its wait ends
      }
      return lease.left > 0 && lease.left-- > 0
    },
    calls: () => calls,
  }
}

/** Returns a function that charges one request, and returns whether it is admitted. */
function limiterOf(requests: number, clock: () => number): () => boolean {
  const limits: readonly Limit[] = [{ requests, windowMs }]
  const limiter = createMemoryLimiter({ clock: () => Math.floor(clock()), ban: false })
  return () => limiter.consume('key:client', limits).allowed
}

function chooser({ servers, balance }: Traffic, random: () => number): () => number {
  const any = () => Math.floor(random() * servers)
  let turn = 0
  const inTurn = (places: readonly number[]) => () => places[turn++ % places.length] ?? 0
  switch (balance) {
    case 'turn':
      return inTurn(Array.from({ length: servers }, (_, server) => server))
    case 'random':
      return any
    case 'sticky':
      return inTurn(Array.from({ length: connections }, any))
    case 'one':
      return inTurn([any()])
  }
}
