import type { Queries } from './queries'

/** How many rows of a kind one member may create; null means no limit. */
export interface Quota {
  /** A kind of private.quotas, or `all`. */
  kind: string
  perMinute: number | null
  perDay: number | null
}

export class QuotaError extends Error {
  override readonly name = 'QuotaError'
}

const FORM = /^(?<kind>[a-z_]+)=(?<minute>\d{1,15}|-)\/(?<day>\d{1,15}|-)$/

/** Parses `comments=30/1000` (per minute, per day); `-` means no limit. Throws a `QuotaError`. */
export function parseQuota(text: string): Quota {
  const parts = FORM.exec(text)?.groups
  if (parts === undefined) throw new QuotaError(`--quota must look like comments=30/1000, not ${text}`)
  const limit = (part = '-') => (part === '-' ? null : Number(part))
  return { kind: parts.kind ?? '', perMinute: limit(parts.minute), perDay: limit(parts.day) }
}

/** Saves quotas in the database. Throws a `QuotaError` for an unknown kind. */
export async function setQuotas(pg: Pick<Queries, 'query'>, quotas: readonly Quota[]): Promise<void> {
  for (const { kind, perMinute, perDay } of quotas) {
    const { rows } = await pg.query(
      `update private.quotas set per_minute = $2, per_day = $3 where $1 in (kind, 'all') returning kind`,
      [kind, perMinute, perDay],
    )
    if (rows.length === 0) throw new QuotaError(`There is no quota for ${kind}`)
  }
}
