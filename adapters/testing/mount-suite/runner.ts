/** A test while it runs. */
export interface OneTest {
  /** Has something done when it is over, however it ended. */
  after(work: () => Promise<void>): void
}

/** What the suite uses of a test runner: handed in, since not every runtime has all of node:test. */
export interface Runner {
  describe(name: string, body: () => void): unknown
  it(name: string, body: (t: OneTest) => Promise<void>): unknown
}
