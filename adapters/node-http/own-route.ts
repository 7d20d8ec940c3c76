import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { ServiceRequest, ServiceResponse } from '../../core/index.ts'
import { NodeRequest } from './node-request.ts'
import { writeResponse as write } from './write-response.ts'

/**
 * Returns a request of Node in the form that the service reads, for `service.authorize`. Reads nothing of its body, which
 * stays for your route: read it as in any other route, or leave it to Node, which discards it after the response.
 *
 * On a server of `hardenServer`, a client that sent `Expect: 100-continue` waits until your route calls `res.writeContinue()`.
 *
 * @param req The request, also that of a framework on top of `node:http`.
 * @param res Its response. It closes the connection after a request whose head is invalid.
 * @example
 * import { createServer } from 'node:http'
 * import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
 * import { toServiceRequest, writeResponse } from 'pet-adoption-service/node'
 *
 * const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
 * const service = createPetService({ keys })
 * const server = createServer(async (req, res) => {
 *   const access = await service.authorize(toServiceRequest(req, res))
 *   if (!access.authorized) return writeResponse(req, res, access.response)
 *   writeResponse(req, res, { status: 200, headers: access.headers, body: 'The shelter is open.' })
 * })
 */
export function toServiceRequest(
  req: IncomingMessage | Http2ServerRequest,
  res: ServerResponse | Http2ServerResponse,
): ServiceRequest {
  const response = res as ServerResponse // the compatibility API of HTTP/2 has the members that the mount uses
  const request = new NodeRequest(req as IncomingMessage, response) // likewise
  if (request.headError) response.shouldKeepAlive = false
  return request
}

/**
 * Writes a response of the service: that of `service.authorize`, or one of your route in the same form. Adds
 * `Content-Length`. If the client goes on sending a long body, the connection closes after the response.
 *
 * @param req The request.
 * @param res Its response. If its headers have been sent, nothing is written.
 * @param response The response to write. Its headers are names and values in turn.
 * @example
 * import { createServer } from 'node:http'
 * import { writeResponse } from 'pet-adoption-service/node'
 *
 * const headers = ['Content-Type', 'application/json']
 * const server = createServer((req, res) => writeResponse(req, res, { status: 200, headers, body: '[]' }))
 */
export function writeResponse(
  req: IncomingMessage | Http2ServerRequest,
  res: ServerResponse | Http2ServerResponse,
  response: ServiceResponse,
): void {
  write(req as IncomingMessage, res as ServerResponse, response) // as above
}
