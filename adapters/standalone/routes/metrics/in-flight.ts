import type { PetService } from '../../../../core/index.ts'

/** Counts the requests of a service that wait for something. */
export interface InFlight {
  /** How many requests have no response yet. */
  readonly count: number
  /** Returns the service, with its requests counted. One that gets its response at once costs nothing. */
  watch(service: PetService): PetService
}

/** Creates a count of requests in flight. */
export function createInFlight(): InFlight {
  let count = 0
  const end = () => {
    count--
  }
  return {
    get count() {
      return count
    },
    watch: (service) => ({
      ...service,
      handle(request) {
        const response = service.handle(request)
        if (response instanceof Promise) {
          count++
          void response.then(end, end)
        }
        return response
      },
    }),
  }
}
