import { type BackendLog, describeError } from '#/backend/base/log'
import type { Exclusive } from '#/backend/base/queue'
import type { Queries } from '#/backend/database/queries'
import { demoClock } from './clock'
import { DEMO_STORIES } from './community'

/** A story that expires sooner is refreshed. */
const HOURS_LEFT_MIN = 12

const REFRESH_EVERY_MS = 60 * 60_000

/**
 * Refreshes the demo's stories now and every hour. Logs failures and continues, because members may have changed the
 * demo's rows in any way. Returns a function that stops it.
 */
export async function scheduleDemoRefresh(
  pg: Queries,
  exclusive: Exclusive,
  log: BackendLog,
): Promise<() => void> {
  const refresh = () =>
    exclusive(() => refreshDemoStories(pg, new Date())).catch((error) => {
      log('warn', `The demo's stories could not be refreshed: ${describeError(error)}`)
    })
  await refresh()
  const timer = setInterval(refresh, REFRESH_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/**
 * Resets stories that expire soon as if they had just been posted: without views, and detached from earlier replies and shares.
 * Stories that a member has deleted stay deleted: others may use their ids.
 */
export async function refreshDemoStories(pg: Queries, now: Date): Promise<void> {
  const clock = demoClock(now)
  const stories = DEMO_STORIES.map(({ id, hoursAgo }) => ({
    id,
    created_at: clock.hoursAgo(hoursAgo),
    expires_at: clock.hoursAgo(hoursAgo - 24),
  }))
  await pg.query(
    `with renewed as (
       update public.stories s set created_at = refreshed.created_at, expires_at = refreshed.expires_at
       from jsonb_to_recordset($1::jsonb) as refreshed (id uuid, created_at timestamptz, expires_at timestamptz)
       where s.id = refreshed.id and s.expires_at < $2 and s.user_id in (select member_id from private.demo_members)
       returning s.id
     ), replied as (
       update public.messages set story_id = null where story_id in (select id from renewed)
     ), shared as (
       update public.messages set shared_story_id = null where shared_story_id in (select id from renewed)
     )
     delete from public.story_views where story_id in (select id from renewed)`,
    [JSON.stringify(stories), clock.hoursAgo(-HOURS_LEFT_MIN)],
  )
}
