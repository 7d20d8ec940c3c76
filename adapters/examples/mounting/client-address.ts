/** Returns the client address that your only proxy has appended to X-Forwarded-For. */
export function clientAddress(request: Request): string | undefined {
  return request.headers.get('X-Forwarded-For')?.split(',').at(-1)?.trim()
}
