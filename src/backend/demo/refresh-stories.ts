import type { DemoContext } from '#/backend/demo-context'
import { demoClock } from './clock'
import { DEMO_STORIES } from './data/stories'

/** A story with less time left than this is shown anew. */
const LEAST_HOURS_LEFT = 12

/**
 * Makes the demo's stories fresh again, as if just posted: seen by nobody yet, and replied to by nobody, since replies
 * were to a story that is over. Those with half a day left stay as they are, and so do those that a member has deleted.
 */
export async function refreshDemoStories({ pg, now }: Pick<DemoContext, 'pg' | 'now'>): Promise<void> {
  const clock = demoClock(now)
  const stories = DEMO_STORIES.map(({ id, hoursAgo }) => ({
    id,
    created_at: clock.hoursAgo(hoursAgo),
    expires_at: clock.hoursAgo(hoursAgo - 24),
  }))
  await pg.query(
    `with renewed as (
       update public.stories s set created_at = fresh.created_at, expires_at = fresh.expires_at
       from jsonb_to_recordset($1::jsonb) as fresh (id uuid, created_at timestamptz, expires_at timestamptz)
       where s.id = fresh.id and s.expires_at < $2
       returning s.id
     ), replied as (
       update public.messages set story_id = null where story_id in (select id from renewed)
     )
     delete from public.story_views where story_id in (select id from renewed)`,
    [JSON.stringify(stories), clock.hoursAgo(-LEAST_HOURS_LEFT)],
  )
}
