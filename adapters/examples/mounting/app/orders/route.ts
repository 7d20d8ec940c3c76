import { requireKey } from 'pet-adoption-service/fetch'
import { clientAddress } from '@/client-address'
import { service } from '@/pets'

const authenticate = requireKey(service, { clientAddress })

export async function GET(request: Request): Promise<Response> {
  const access = await authenticate(request)
  if (access instanceof Response) return access
  return Response.json([{ id: 1, by: access.caller.id }], { headers: access.headers })
}
