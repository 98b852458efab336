import type { Transaction } from '#/backend/database/queries'
import type { Claims } from './tokens'

/** The claims that determine the rights of a channel. */
export interface Identity {
  claims: Claims
  /** Equal for equal claims, which have the same rights. */
  key: string
}

export function identityOf(claims: Claims): Identity {
  return { claims, key: JSON.stringify(claims) }
}

/** Runs the rest of a transaction with the rights of this identity, like a REST request, for a topic. */
export async function actAs(tx: Transaction, { claims, key }: Identity, topic = ''): Promise<void> {
  await tx.query(
    `select set_config('role', $1, true), set_config('request.jwt.claim.role', $1, true),
      set_config('request.jwt.claim.sub', $2, true), set_config('request.jwt.claims', $3, true),
      set_config('realtime.topic', $4, true)`,
    [claims.role, claims.sub ?? '', key, topic],
  )
}
