import type { Transaction } from '#/backend/database/queries'
import type { Claims } from './tokens'

/** Runs the rest of a transaction with the rights of a token, like a REST request, for a topic. */
export async function actAs(tx: Transaction, claims: Claims, topic = ''): Promise<void> {
  await tx.query(
    `select set_config('role', $1, true), set_config('request.jwt.claim.role', $1, true),
      set_config('request.jwt.claim.sub', $2, true), set_config('request.jwt.claims', $3, true),
      set_config('realtime.topic', $4, true)`,
    [claims.role, claims.sub ?? '', JSON.stringify(claims), topic],
  )
}
