import { parseDecimalInt64 } from '../base/int64.ts'
import { ApiError } from '../http/errors.ts'
import { petToJson } from '../pets/pet.ts'
import { int64Note, int64Schema, type Operation } from './operation.ts'

export const getPet: Operation<'getPet', ['get']> = {
  id: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  requires: ['get'],
  summary: 'Fetch one animal by its id',
  description: 'Deprecated: use `GET /pets` with the `status` filter instead.',
  parameters: [
    {
      name: 'petId',
      in: 'path',
      description: `Id of the animal to retrieve. ${int64Note}`,
      schema: int64Schema,
      example: 1,
    },
  ],
  success: { status: 200, description: 'The requested animal', schema: 'Pet' },
  errors: ['pet_not_found', 'operation_removed'],
  deprecated: { removal: Date.UTC(2030, 11, 5), successor: '/pets' },

  createHandler({ store }) {
    return async ({ parameter }) => {
      const id = parseDecimalInt64(parameter)
      const pet = id === undefined ? undefined : await store.get(id)
      if (!pet) return new ApiError('pet_not_found')
      return { status: 200, body: petToJson(pet), rawHeaders: [] }
    }
  },
}
