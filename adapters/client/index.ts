export { toJson } from '../../core/to-json.ts'
export { createPetClient } from './client.ts'
export { PetApiError } from './responses.ts'
export type {
  CallOptions,
  CreateOptions,
  DeprecationEvent,
  ListQuery,
  NewPet,
  Pet,
  PetClient,
  PetClientOptions,
  PetList,
  PetPage,
  PetStatus,
  RetryEvent,
} from './types.ts'
