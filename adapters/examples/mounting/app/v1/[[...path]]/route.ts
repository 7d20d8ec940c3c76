import { createFetchHandler } from 'pet-adoption-service/fetch'
import { service } from '../../../pets.ts'
import { client } from '../client.ts'

const pets: (request: Request) => Promise<Response> = createFetchHandler(service, { client })

export {
  pets as DELETE,
  pets as GET,
  pets as HEAD,
  pets as OPTIONS,
  pets as PATCH,
  pets as POST,
  pets as PUT,
}
