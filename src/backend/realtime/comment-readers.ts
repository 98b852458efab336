import * as z from 'zod'
import type { Exclusive } from '#/backend/base/queue'
import type { Session } from '#/backend/database/queries'

/** The database's broadcast of comments of one author in `post:<id>`. */
export const commentsSchema = z.looseObject({ table: z.literal('comments'), author: z.string() })
export type Comments = z.infer<typeof commentsSchema>

/** Finds which of these members do not see comments of an author: those on either side of a block. */
export function createHiddenReader(pg: Session, exclusive: Exclusive) {
  return async (members: readonly string[], author: string): Promise<Set<string>> => {
    const { rows } = await exclusive(() =>
      pg.query<{ id: string }>(
        `select blocked_id as id from public.blocks where blocker_id = $1 and blocked_id = any ($2::uuid[])
          union all
          select blocker_id from public.blocks where blocked_id = $1 and blocker_id = any ($2::uuid[])`,
        [author, members],
      ),
    )
    return new Set(rows.map(({ id }) => id))
  }
}
