import { type Account, fields } from '../limits/account.ts'

/** Returns an account as if it had only the limit of an index. */
export function alone(account: Account, i: number): Account {
  const copy: Account = [...account]
  copy.splice(fields.limits, 3 * i)
  return copy
}
