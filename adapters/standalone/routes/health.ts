import {
  ApiError,
  type PetStore,
  plans,
  type RateLimiter,
  type ServiceResponse,
} from '../../../core/index.ts'
import { limitsOf } from '../../../core/internal.ts'
import { explain } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { errorResponse, type Pages } from './extra-routes.ts'

export interface HealthOptions {
  readonly store: PetStore
  readonly limiter: RateLimiter
  readonly isStopping: () => boolean
  readonly log: Pick<Log, 'warning'>
  /** How long a part may take to answer, in milliseconds; 2,000 by default. */
  readonly boundMs?: number
}

/** `/healthz` tells that the process runs, `/readyz` that requests can be served: that store and limiter answer. */
export function healthPages(options: HealthOptions): Pages {
  const { store, limiter, isStopping, log, boundMs = 2_000 } = options
  const parts: readonly (readonly [name: string, ask: () => unknown])[] = [
    ['store', () => store.list({ limit: 1 })],
    ['rate limiter', () => limiter.peek('address:readyz', limitsOf(plans.free))],
  ]

  async function fails([name, ask]: (typeof parts)[number]): Promise<string | undefined> {
    try {
      await within(boundMs, ask)
      return undefined
    } catch (cause) {
      log.warning('not-ready', `the ${name} does not answer: ${explain(cause, false)}`)
      return name
    }
  }

  async function check(): Promise<ServiceResponse> {
    const failing = (await Promise.all(parts.map(fails))).filter((name) => name !== undefined)
    return failing.length === 0
      ? fine()
      : unavailable(`the ${failing.join(' and the ')} cannot answer for now`)
  }

  let checking: Promise<ServiceResponse> | undefined
  return {
    '/healthz': fine,
    '/readyz'() {
      if (isStopping()) return unavailable('the server is stopping')
      // One check serves all who ask meanwhile: nobody is refused here, and nobody must be able to burden the store.
      checking ??= check().finally(() => {
        checking = undefined
      })
      return checking
    },
  }
}

function fine(): ServiceResponse {
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
    body: '{"status":"ok"}',
  }
}

function unavailable(why: string): ServiceResponse {
  return errorResponse(new ApiError('service_unavailable', `Not ready: ${why}.`, ['Retry-After', '5']))
}

function within(boundMs: number, ask: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing within ${boundMs} ms`)), boundMs)
    new Promise((settle) => settle(ask())).then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
