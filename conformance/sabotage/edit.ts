import type { ApiRequest, ApiResponse } from './exchange.ts'
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json.ts'

/** Headers by name in lower case; `undefined` drops one. */
export type Headers = Readonly<Record<string, string | undefined>>

/** Another response with the headers of the first that it does not set itself. */
export function replaced(response: ApiResponse, other: ApiResponse): ApiResponse {
  return { ...other, headers: { ...response.headers, ...other.headers } }
}

/** The response with headers set, or dropped where the value is `undefined`. */
export function withHeaders(response: ApiResponse, headers: Headers): ApiResponse {
  const all = Object.entries({ ...response.headers, ...headers })
  const present = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return { ...response, headers: Object.fromEntries(present) }
}

/** The response with another JSON body. */
export function withJson(response: ApiResponse, edit: (body: Json) => Json): ApiResponse {
  return { ...response, body: writeJson(edit(responseJson(response))) }
}

/** The response with each Pet, or the Error, in its body changed. */
export function withEach(
  response: ApiResponse,
  edit: (item: JsonObject, index: number) => Json,
): ApiResponse {
  const editItem = (item: Json, index: number): Json => (isObject(item) ? edit(item, index) : item)
  return withJson(response, (body) => (Array.isArray(body) ? body.map(editItem) : editItem(body, 0)))
}

/** The response with the array in its body changed. */
export function withList(
  response: ApiResponse,
  edit: (pets: readonly Json[]) => readonly Json[],
): ApiResponse {
  return withJson(response, (body) => (Array.isArray(body) ? edit(body) : body))
}

/** The object without one member. */
export function without(item: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = item
  return rest
}

/** The request with members of its query set, or dropped where the value is `undefined`. */
export function withQuery(
  request: ApiRequest,
  query: Readonly<Record<string, string | undefined>>,
): ApiRequest {
  const all = Object.entries({ ...request.query, ...query })
  return {
    ...request,
    query: Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  }
}

/** The request with its body changed; unchanged where the body is not a JSON object. */
export function withBody(request: ApiRequest, edit: (body: JsonObject) => JsonObject): ApiRequest {
  const body = requestJson(request)
  return isObject(body) ? { ...request, body: writeJson(edit(body)) } : request
}

/** Whether the body of a request is a JSON object that meets the condition. */
export function hasJsonBody(request: ApiRequest, condition: (body: JsonObject) => boolean): boolean {
  const body = requestJson(request)
  return isObject(body) && condition(body)
}

/** The JSON body of a request; `undefined` where the body is not JSON. */
export function requestJson(request: Pick<ApiRequest, 'body'>): Json | undefined {
  try {
    return readJson(request.body)
  } catch {
    return undefined
  }
}

/** The JSON body of a response of the reference deployment. */
export function responseJson(response: ApiResponse): Json {
  return readJson(response.body)
}
