/** A running test. */
export interface OneTest {
  /** Adds work to do after the test, whether it passed or failed. */
  after(work: () => Promise<void>): void
}

/** The part of a test runner that the suite needs. It is a parameter since not every runtime has all of node:test. */
export interface Runner {
  describe(name: string, body: () => void): unknown
  it(name: string, body: (t: OneTest) => Promise<void>): unknown
}
