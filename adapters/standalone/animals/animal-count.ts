/** Returns a number of animals in words, such as `1 animal` or `2 animals`. */
export function animalCount(count: number): string {
  return count === 1 ? '1 animal' : `${count} animals`
}
