import type { Transaction } from '#/backend/database/queries'
import type { Claims } from './tokens'

/** Whose rights a channel has. */
export interface Identity {
  claims: Claims
  /** The same for the same claims: what one may see, the other may. */
  key: string
}

export function identityOf(claims: Claims): Identity {
  return { claims, key: JSON.stringify(claims) }
}

/** Makes the rest of a transaction a request of this identity, as the REST interface does, about a topic. */
export async function actAs(tx: Transaction, { claims, key }: Identity, topic = ''): Promise<void> {
  await tx.query(
    `select set_config('role', $1, true), set_config('request.jwt.claim.role', $1, true),
      set_config('request.jwt.claim.sub', $2, true), set_config('request.jwt.claims', $3, true),
      set_config('realtime.topic', $4, true)`,
    [claims.role, claims.sub ?? '', key, topic],
  )
}
