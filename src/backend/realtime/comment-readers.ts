import * as z from 'zod'
import type { Exclusive } from '#/backend/base/queue'
import type { Session } from '#/backend/database/queries'

/** The database's broadcast of comments of one author in `post:<id>`. */
export const commentsSchema = z.looseObject({ table: z.literal('comments'), author: z.string() })

const APART_SQL = `
  select blocker_id as one, blocked_id as other from public.blocks
  where (blocker_id = any ($1) and blocked_id = any ($2)) or (blocked_id = any ($1) and blocker_id = any ($2))`

/** Finds between which of these authors and members there is a block, of either side. Resolves with texts `one other`, in both orders. */
export function createHiddenReader(pg: Session, exclusive: Exclusive) {
  return async (authors: readonly string[], members: Iterable<string>): Promise<Set<string>> => {
    const ids = [[...new Set(authors)], [...members]]
    const { rows } = await exclusive(() => pg.query<{ one: string; other: string }>(APART_SQL, ids))
    return new Set(rows.flatMap(({ one, other }) => [`${one} ${other}`, `${other} ${one}`]))
  }
}
