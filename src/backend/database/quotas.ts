import type { Queries } from './queries'

/** What one member may create of a kind; null lifts the limit. */
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

/** Reads `comments=30/1000` (in a minute, in a day); `-` is no limit. Throws a `QuotaError`. */
export function parseQuota(text: string): Quota {
  const parts = FORM.exec(text)?.groups
  if (parts === undefined) throw new QuotaError(`--quota must look like comments=30/1000, not ${text}`)
  const limit = (part = '-') => (part === '-' ? null : Number(part))
  return { kind: parts.kind ?? '', perMinute: limit(parts.minute), perDay: limit(parts.day) }
}

/** Changes the table of quotas, where they stay. Throws a `QuotaError` for a kind that there is not. */
export async function setQuotas(pg: Pick<Queries, 'query'>, quotas: readonly Quota[]): Promise<void> {
  for (const { kind, perMinute, perDay } of quotas) {
    const { rows } = await pg.query(
      `update private.quotas set per_minute = $2, per_day = $3 where $1 in (kind, 'all') returning kind`,
      [kind, perMinute, perDay],
    )
    if (rows.length === 0) throw new QuotaError(`There is no quota for ${kind}`)
  }
}
