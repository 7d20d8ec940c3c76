import { type Json, writeJson } from './json.ts'
import { mainKey, throttleKey, type World } from './world.ts'

/** A request as the deployment sees it; a variant may hand on another. */
export interface Call {
  readonly operation: 'listPets' | 'createPet' | 'getPet' | 'none'
  readonly query: Readonly<Record<string, string>>
  /** The path's last segment on getPet. */
  readonly petId: string
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  readonly body: string
}

/** An answer on its way out. Header names are in lower case. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The caller that a call's credential stands for; `anonymous` where there is none that is known. */
export function callerOf(call: Call): string {
  const token = /^bearer +(\S+)$/i.exec(call.authorization ?? '')?.[1]
  return token === mainKey || token === throttleKey ? token : 'anonymous'
}

/** A reply with a JSON body. */
export function jsonReply(status: number, body: Json, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: writeJson(body),
  }
}

/** A reply with the body of an Error (section 7). */
export function errorReply(
  status: number,
  code = 'refused',
  message = 'Refused.',
  headers: Reply['headers'] = {},
): Reply {
  return jsonReply(status, { code, message, status: BigInt(status) }, headers)
}

/** Reads a request; one outside the base address has no operation. */
export async function readCall(request: Request, world: World): Promise<Call> {
  const url = new URL(request.url)
  const path = url.pathname.startsWith(`${world.base}/`) ? url.pathname.slice(world.base.length) : ''
  const petId = /^\/pets\/([^/]+)$/.exec(path)?.[1] ?? ''
  return {
    operation: operationOf(request.method, path, petId),
    query: Object.fromEntries(url.searchParams),
    petId,
    authorization: request.headers.get('authorization') ?? undefined,
    contentType: request.headers.get('content-type') ?? undefined,
    body: request.method === 'POST' ? await request.text() : '',
  }
}

function operationOf(method: string, path: string, petId: string): Call['operation'] {
  if (path === '/pets') return method === 'GET' ? 'listPets' : method === 'POST' ? 'createPet' : 'none'
  return petId !== '' && method === 'GET' ? 'getPet' : 'none'
}
