import { type CreationKey, sha256 } from '../../core/index.ts'

/** Returns the key of the creation with a number in a round. */
export function keyOfRound(round: string, number: number): CreationKey {
  return { token: sha256(`${round} ${number}`), fingerprint: sha256(String(number)), now: 1, expiresAt: 2 }
}
