export {
  type Account,
  accountEmptyAt,
  createAccount,
  decide,
  type EarlierRejections,
  peekAccount,
} from './limits/account.ts'
export { type BanPolicy, type BanRecord, readBanPolicy } from './limits/bans.ts'
export { type Bucket, checkLimits, type Decision, type Limit, type RateLimiter } from './limits/bucket.ts'
