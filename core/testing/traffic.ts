/** A moment that no test depends on. */
export const epoch: number = Date.UTC(2026, 10, 20, 12)
