/** Creates a key: `pas_` and 256 random bits in base64url. Secret scanners recognize the prefix. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const base64 = btoa(String.fromCharCode(...bytes))
  return `pas_${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}
