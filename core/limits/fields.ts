// Field indexes in an account. Times are in milliseconds since the epoch, or 0 if there was no such event.
// Separate constants let bundlers inline the numbers.

/** Time when the last request was allowed, or when the account was created. */
export const lastAllowedAt = 0
/** Time when the account is like a new one and can be deleted. */
export const expiresAt = 1
/** Time when the latest ban ends. */
export const bannedUntil = 2
/** Number of consecutive bans, which determines how long the next ban is. */
export const banCount = 3
/** Time when the streak began. */
export const streakStartedAt = 4
/** Time when the account was last rejected, except during a ban. */
export const lastRejectedAt = 5
/** Time when the newest window step began. */
export const newestStepAt = 6
/** Rejections in each of the 10 window steps, the newest first. */
export const rejectionCounts = 7
/** First limit. Each limit has three fields: debt, window start, and requests in the window. */
export const firstLimit = 17
