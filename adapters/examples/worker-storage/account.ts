import { DurableObject } from 'cloudflare:workers'
import * as rules from 'pet-adoption-service/limiter'

const policy = rules.readBanPolicy(undefined)

/** Counts the requests of one key or address. An alarm removes the account once it counts no longer. */
export class Account extends DurableObject {
  async decide(limits: readonly rules.Limit[], charges: boolean): Promise<rules.Decision> {
    const now = Date.now()
    const account = (await this.ctx.storage.get<rules.Account>('account')) ?? rules.createAccount(limits, now)
    if (!charges) return rules.peekAccount(account, limits, now)
    const decision = rules.decide(account, limits, policy, now)
    this.ctx.storage.put('account', account)
    this.ctx.storage.setAlarm(rules.accountEmptyAt(account))
    return decision
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
