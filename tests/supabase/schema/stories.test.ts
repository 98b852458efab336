import { describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')

async function addStory(): Promise<unknown> {
  const [row] = await community.as(ada)`
    insert into stories (user_id, media_url, media_type) values (${ada}, 'data:video/mp4;base64,AAAA', 'video')
     returning id`
  return row?.id
}

const sees = async (viewer: string, story: unknown) =>
  (await community.as(viewer)`select id from stories where id = ${story}`).length === 1

/** Moves a story back in time. */
const age = (story: unknown, by: string) =>
  community.sql`update stories
    set created_at = created_at - ${by}::interval, expires_at = expires_at - ${by}::interval
    where id = ${story}`

describe('STORY-02 expiry', () => {
  test('is 24 hours later by the database clock', async () => {
    const story = await addStory()
    expect(
      await community.sql`
        select expires_at - created_at = interval '24 hours' as day, created_at > now() - interval '1 minute' as fresh
         from stories where id = ${story}`,
    ).toEqual([{ day: true, fresh: true }])
  })

  test('hides a story from others immediately, and from its owner after a week', async () => {
    const story = await addStory()
    await age(story, '23 hours 59 minutes')
    expect([await sees(ben, story), await sees(ada, story)]).toEqual([true, true])
    await age(story, '1 minute')
    expect([await sees(ben, story), await sees(ada, story)]).toEqual([false, true])
    await age(story, '7 days')
    expect([await sees(ben, story), await sees(ada, story)]).toEqual([false, false])
  })

  test('deletes old stories when a new one is added', async () => {
    const [old, recent] = [await addStory(), await addStory()]
    await age(old, '8 days 1 minute')
    await age(recent, '7 days')
    await addStory()
    expect(await community.sql`select id from stories where id in (${old}, ${recent})`).toEqual([
      { id: recent },
    ])
  })
})

describe('STORY-06 views', () => {
  const view = (viewer: string, story: unknown) =>
    community.as(viewer)`insert into story_views (story_id, viewer_id) values (${story}, ${viewer})`

  test('are visible to the viewer and the owner only, also after the story has expired', async () => {
    const story = await addStory()
    const cleo = await community.join('cleo')
    await view(ben, story)
    await age(story, '24 hours')
    const viewers = async (member: string) =>
      (await community.as(member)`select viewer_id from story_views where story_id = ${story}`).length
    expect([await viewers(ada), await viewers(ben), await viewers(cleo)]).toEqual([1, 1, 0])
  })
})
