/** Returns the index of the first number of an ascending list that is not below another. */
export function indexIn(list: readonly number[], number: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}
