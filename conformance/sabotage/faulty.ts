import { faultyOperations } from './faulty/operations.ts'
import { faultyPlaces } from './faulty/places.ts'
import { faultyResponses } from './faulty/responses.ts'
import type { Faulty } from './variant.ts'

/** For each cause that responses show: deployments that show it, and some that nearly do. */
export const faulty: readonly Faulty[] = [...faultyPlaces, ...faultyResponses, ...faultyOperations]
