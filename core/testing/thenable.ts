/** As little of a promise as a part may answer with: its `then` answers nothing. */
export function thenable<T>(
  settle: (resolve: (value: T) => void, reject: (cause: unknown) => void) => void,
): Promise<T> {
  // biome-ignore lint/suspicious/noThenProperty: to be waited for is its purpose
  return { then: settle } as unknown as Promise<T> // what it lacks of a promise is the point
}
