/** A request of an operation. */
export interface FleetRequest {
  readonly method: 'GET' | 'POST'
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export const operationIds = ['getPet', 'list20', 'list100', 'createPet', 'createOnce'] as const

export type OperationId = (typeof operationIds)[number]

interface Operation {
  readonly title: string
  /** Its share of the traffic that the capacity table assumes. */
  readonly share: number
  /** Whether it adds animals. */
  readonly adds: boolean
  /** Returns the request of a number, for a storage with so many animals. */
  request(number: number, animals: number): FleetRequest
}

const newPet = JSON.stringify({ name: 'Biscuit the Brave', categoryId: 7, status: 'available' })

/** The operations that are measured. Their requests are spread over all animals. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  getPet: {
    title: 'getPet',
    share: 0.5,
    adds: false,
    request: (number, animals) => ({ method: 'GET', target: `/v1/pets/${scattered(number, animals) + 1}` }),
  },
  list20: {
    title: 'a page of 20',
    share: 0.35,
    adds: false,
    request: (number, animals) => ({
      method: 'GET',
      target: `/v1/pets?after=${scattered(number, animals - 20)}`,
    }),
  },
  list100: {
    title: 'a page of 100 by status',
    share: 0.05,
    adds: false,
    request: (number, animals) => ({
      method: 'GET',
      target: `/v1/pets?limit=100&status=available&after=${scattered(number, animals - 300)}`,
    }),
  },
  createPet: {
    title: 'createPet',
    share: 0.05,
    adds: true,
    request: () => ({ method: 'POST', target: '/v1/pets', body: newPet }),
  },
  createOnce: {
    title: 'createPet with an `Idempotency-Key`',
    share: 0.05,
    adds: true,
    request: (number) => ({
      method: 'POST',
      target: '/v1/pets',
      headers: { 'Idempotency-Key': `fleet-${number}` },
      body: newPet,
    }),
  },
}

/** A prime, so that consecutive numbers fall far apart, and every place is reached. */
const stride = 611_953

/** Returns a number from 0 to `count` − 1 that depends on `number` only. */
export function scattered(number: number, count: number): number {
  return (number * stride) % count
}
