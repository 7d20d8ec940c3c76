import { faultyBodies } from './faulty/bodies.ts'
import type { Faulty } from './faulty/faulty.ts'
import { faultyLimits } from './faulty/limits.ts'
import { faultyOperations } from './faulty/operations.ts'
import { faultyPlaces } from './faulty/places.ts'

/** At least one deployment for each cause that responses show. */
export const faulty: readonly Faulty[] = [
  ...faultyPlaces,
  ...faultyBodies,
  ...faultyLimits,
  ...faultyOperations,
]
