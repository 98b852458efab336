import { beforeEach, describe, expect, test } from 'vitest'
import { expectDone, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import { type Cast, PICTURE } from '#tests/supabase/rights/cast'

/** A story is inaccessible in every way as soon as it has expired by the database clock. */
export function describeStoryExtras(cast: () => Cast): void {
  describe('stories that expire', () => {
    beforeEach(() => cast().restore('public'))

    const expireIn = (time: string) =>
      cast().server.query(`update public.stories set expires_at = now() + interval '${time}'`)

    /** Requests with which Ben, a follower who has viewed the story, could read its media. */
    const mediaRequests = () => {
      const { client } = cast().members.ben
      const { story } = cast().ids
      const { ada, ben } = cast().members
      return {
        itself: client.from('stories').select('media_url').eq('id', story),
        thumbnails: client.from('stories').select('thumbnail_url,media_width,duration_ms'),
        'its owner': client.from('profiles').select('stories!inner(media_url)').eq('id', ada.id),
        'his view': client
          .from('story_views')
          .select('stories!inner(media_url)')
          .eq('story_id', story)
          .eq('viewer_id', ben.id),
        'his reply': client.from('messages').select('stories!messages_story_id_fkey!inner(media_url)'),
      }
    }

    async function reply(id = crypto.randomUUID()) {
      const { ada, ben } = cast().members
      const conversation = crypto.randomUUID()
      const pair = { id: conversation, participant_1: ben.id, participant_2: ada.id }
      const made = await ben.client.from('conversations').insert(pair)
      const found = await ben.client.from('conversations').select('id').maybeSingle()
      const row = { id, sender_id: ben.id, content: '🔥', story_id: cast().ids.story }
      return ben.client
        .from('messages')
        .insert({ ...row, conversation_id: made.error ? found.data?.id : conversation })
    }

    test('STORY-02 are visible only to their owner from that second on', async () => {
      expectDone(await reply())
      await expireIn('1 minute')
      for (const [door, answer] of Object.entries(mediaRequests())) {
        expect([door, rowsOf(await answer).length > 0]).toEqual([door, true])
      }
      await expireIn('0 seconds')
      for (const [door, answer] of Object.entries(mediaRequests())) {
        expect([door, rowsOf(await answer)]).toEqual([door, []])
      }
      const { ada, ben } = cast().members
      expect(rowsOf(await ada.client.from('stories').select('media_url'))).toHaveLength(2)
      // The message remains a story reply.
      expect(
        rowsOf(await ben.client.from('messages').select('answers_story,stories!messages_story_id_fkey(id)')),
      ).toEqual([{ answers_story: true, stories: null }])
    })

    test('STORY-05 STORY-06 accept neither replies nor views from that second on', async () => {
      const { fay } = cast().members
      const view = () =>
        fay.client.from('story_views').insert({ story_id: cast().ids.story, viewer_id: fay.id })
      await expireIn('0 seconds')
      expectRefused(await reply())
      expectRefused(await view())
      await expireIn('1 minute')
      expectDone(await reply())
      expectDone(await view())
    })

    test('STORY-02 the literal `now` is the time of the database', async () => {
      const { ada } = cast().members
      const fresh = () => ada.client.from('stories').select('id').gt('expires_at', 'now')
      await expireIn('1 minute')
      expect(rowsOf(await fresh())).toHaveLength(2)
      await expireIn('0 seconds')
      expect(rowsOf(await fresh())).toEqual([])
    })

    test('STORY-08 rejects a video of more than a minute, and a picture with a duration', async () => {
      const { ada } = cast().members
      const add = (row: Record<string, unknown>) =>
        ada.client.from('stories').insert({ user_id: ada.id, thumbnail_url: PICTURE, ...row })
      const video = { media_url: 'data:video/mp4;base64,AAAA', media_type: 'video' }
      expectDone(await add({ ...video, media_width: 1080, media_height: 1920, duration_ms: 60_000 }))
      expect((await add({ ...video, duration_ms: 60_001 })).error?.code).toBe('23514')
      expect((await add({ media_url: PICTURE, media_type: 'image', duration_ms: 1 })).error?.code).toBe(
        '23514',
      )
    })
  })
}
