/** Whether less than `ms` have passed since then. Once the clock has stepped back behind it, they count as passed. */
export function isWithin(now: number, since: number, ms: number): boolean {
  return now >= since && now < since + ms
}
