import { requireKey } from 'pet-adoption-service/fetch'
import { service } from '../../../../pets.ts'
import { client } from '../../client.ts'

const authenticate = requireKey(service, { client })

export async function GET(request: Request): Promise<Response> {
  const access = await authenticate(request)
  if (access instanceof Response) return access
  return Response.json([{ id: 1, by: access.caller.id }], { headers: access.headers })
}
