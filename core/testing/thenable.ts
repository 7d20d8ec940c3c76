/** Returns the minimum of a promise that a part may return: an object whose `then` returns nothing. */
export function thenable<T>(
  then: (resolve: (value: T) => void, reject: (cause: unknown) => void) => void,
): Promise<T> {
  return { then } as unknown as Promise<T> // the members that it lacks are the point
}
