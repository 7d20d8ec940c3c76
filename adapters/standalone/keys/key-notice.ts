import type { Notice } from '../log/log-format.ts'

/** Shows a key that was made at the start, with a line that works as it is in sh and in cmd. */
export function keyNotice(key: string, reachableAddress: string): Notice {
  const curl = `curl -H "Authorization: Bearer ${key}" "${reachableAddress}/pets"`
  const text = `No keys were given: here is one that works until the server stops.

  ${key}

List the animals with this line; with  --json '{"name":"Ada","categoryId":1}'  behind it, it adds one:

  ${curl}
`
  return { level: 'info', event: 'key', text, fields: { key, curl } }
}
