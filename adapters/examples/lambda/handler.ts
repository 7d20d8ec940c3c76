import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createFetchHandler } from 'pet-adoption-service/fetch'
import type { HttpEvent, HttpResult } from './events.ts'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
// Each instance has animals and limits in its own memory: in production, pass a `store` and a `limiter`.
const pets = createFetchHandler<HttpEvent>(createPetService({ keys }), {
  client: (_request, event) => event?.requestContext.http.sourceIp,
})

export async function handler(event: HttpEvent): Promise<HttpResult> {
  const { rawPath, rawQueryString, headers, body, isBase64Encoded } = event
  const { method } = event.requestContext.http
  const url = `https://${headers.host}${rawPath}${rawQueryString && `?${rawQueryString}`}`
  const bytes = body ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') : null
  const response = await pets(new Request(url, { method, headers, body: bytes }), event)
  const { status: statusCode } = response
  return { statusCode, headers: Object.fromEntries(response.headers), body: await response.text() }
}
