import { type Plan, plans } from '../../../core/index.ts'

/** The names of all plans. */
export const planNames: readonly string[] = [...Object.keys(plans), 'enterprise' satisfies Plan]

/** Returns a list in words: `free, pro, business or enterprise`. */
export function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
