/**
 * Returns the index of the first number in a sorted array that is at least `number`, or the array's length if there is
 * none.
 */
export function findLowerBound(list: readonly number[], number: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middleIndex = (low + high) >> 1
    if ((list[middleIndex] ?? 0) < number) low = middleIndex + 1
    else high = middleIndex
  }
  return low
}
