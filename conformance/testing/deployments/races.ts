import { isCreate, type When } from './change.ts'
import type { Change, Middleware } from './deployment.ts'
import { type ApiRequest, type ApiResponse, findCaller } from './exchange.ts'
import { type LimiterDecision, minuteMs } from './limiter.ts'
import {
  addUnprovenRules,
  type BrokenDeployment,
  createBroken,
  createLegal,
  type LegalDeployment,
} from './variant.ts'
import { type Animal, throttleKey, type World } from './world.ts'

const hasThrottleKey: When = (request) => findCaller(request) === throttleKey

/** Pauses a request for 5 ms, so that parallel requests can run. */
const pauseBriefly = ({ clock }: World): Promise<void> => clock.sleep(5)

type HandleNext = Parameters<Middleware>[1]

function handleWhen(
  when: When,
  handle: (request: ApiRequest, next: HandleNext, world: World) => Promise<ApiResponse>,
): Middleware {
  return (request, next, world) => (when(request) ? handle(request, next, world) : next(request))
}

/** A counter that is read and written in two steps, as in a database without transactions. */
function createCounter(): Required<Pick<Change, 'prepare'>> & { charge: (world: World) => Promise<void> } {
  const limit = 12
  let [start, used] = [0, 0]
  let decision: LimiterDecision = { limit, remaining: limit, resetAt: 0, waitMs: 0 }
  return {
    prepare(world) {
      used = 0
      const { limiter } = world
      world.limiter = (caller, now) => (caller === throttleKey ? decision : limiter(caller, now))
    },
    async charge(world) {
      const now = world.clock.now()
      const current = now - (now % minuteMs)
      const before = current === start ? used : 0
      await pauseBriefly(world)
      const resetAt = current + minuteMs
      const isAdmitted = before < limit
      start = current
      used = isAdmitted ? before + 1 : before
      decision = { limit, remaining: limit - used, resetAt, waitMs: isAdmitted ? 0 : resetAt - now }
    },
  }
}

/** Runs functions one after the other. */
function createQueue(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const result = last.then(run)
    last = result.catch(() => {})
    return result
  }
}

/** Counts in several processes. Each process handles one request at a time. */
function countInProcesses(processes: number): Change {
  const { prepare, charge } = createCounter()
  const queues = Array.from({ length: processes }, createQueue)
  let turn = 0
  return {
    prepare,
    middleware: handleWhen(hasThrottleKey, (request, next, world) => {
      const queue = queues[turn++ % processes] ?? createQueue()
      return queue(async () => {
        await charge(world)
        return next(request)
      })
    }),
  }
}

const findLargestId = (animals: readonly Animal[]): bigint =>
  animals.reduce((most, { id }) => (id > most ? id : most), 0n)

/** Deployments that break rules about parallel requests. */
export const brokenRaceDeployments: readonly BrokenDeployment[] = createBroken({
  'RATE-17: reads the request counter and writes it 5 ms later': countInProcesses(100),
  'RATE-17: shares a request counter between processes without locking': countInProcesses(2),
  'CREATE-29: assigns the largest ID plus one without locking': {
    middleware: handleWhen(isCreate, async (request, next, world) => {
      const id = findLargestId(world.animals) + 1n
      await pauseBriefly(world)
      world.animals = world.animals.filter((animal) => animal.id !== id)
      world.nextId = id
      return next(request)
    }),
  },
  'CREATE-29: stores the bodies of parallel requests in one variable': {
    middleware: (() => {
      let body = ''
      return handleWhen(isCreate, async (request, next, world) => {
        body = request.body
        await pauseBriefly(world)
        return next({ ...request, body })
      })
    })(),
  },
  'CREATE-29: loses a creation when a parallel creation commits first': {
    middleware: handleWhen(isCreate, async (request, next, world) => {
      const snapshot = [...world.animals]
      await pauseBriefly(world)
      const count = world.animals.length
      const response = next(request)
      world.animals = [...snapshot, ...world.animals.slice(count)]
      return response
    }),
  },
})

/** Handles a limited number of requests at a time. The others wait or are rejected. */
function limitConcurrency(count: number, reject?: ApiResponse): Change {
  let running = 0
  const waitingRequests: (() => void)[] = []
  return {
    async middleware(request, next, world) {
      if (running >= count && reject !== undefined) return reject
      while (running >= count) await new Promise<void>((resolve) => waitingRequests.push(resolve))
      running += 1
      await pauseBriefly(world)
      const response = next(request)
      running -= 1
      waitingRequests.shift()?.()
      return response
    },
  }
}

/** Delays each request by up to 2 s. */
function delayRequests(): Change {
  let requests = 0
  return {
    async middleware(request, next, world) {
      await world.clock.sleep(((requests++ * 7919) % 2000) + 1)
      return next(request)
    },
  }
}

/** Deployments that conform and handle parallel requests slowly or not at all. */
export const legalRaceDeployments: readonly LegalDeployment[] = createLegal({
  'parallel requests: handles one request at a time': limitConcurrency(1),
  'parallel requests: handles two requests at a time': limitConcurrency(2),
  'parallel requests: returns 503 for the fourth request': addUnprovenRules(
    ['RATE-17'],
    limitConcurrency(3, {
      status: 503,
      headers: { 'content-type': 'text/html' },
      body: '<h1>Overloaded</h1>',
    }),
  ),
  'parallel requests: takes up to two seconds for each request': delayRequests(),
})
