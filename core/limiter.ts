export type { Account } from './limits/account.ts'
export { type BanPolicy, readBanPolicy } from './limits/bans.ts'
export { checkLimits, type Decision, type Limit, type RateLimiter } from './limits/bucket.ts'
export { accountEmptyAt, createAccount, decide, peekAccount } from './limits/decide.ts'
