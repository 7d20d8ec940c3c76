/**
 * How requests are decided while Redis is unavailable.
 *
 * - `local`: each process counts on its own, so every process allows the full limit
 * - `open`: requests are allowed and not counted
 * - `closed`: requests fail with a `LimiterUnavailableError`, which becomes a 503 response
 */
export type FailureMode = 'local' | 'open' | 'closed'

/** All failure modes, with the default first. */
export const failureModes: readonly FailureMode[] = ['local', 'open', 'closed']
