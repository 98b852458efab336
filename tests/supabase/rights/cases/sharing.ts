import { beforeEach, describe, expect, test } from 'vitest'
import { expectDone, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import type { Cast } from '#tests/supabase/rights/cast'

/** Messages that share something contain a reference; each member sees as much of it as elsewhere. */
export function describeSharing(cast: () => Cast): void {
  describe('shared posts, stories and profiles', () => {
    beforeEach(() => cast().restore('private'))

    /** Shares with Sid, who does not follow Ada. */
    async function share(from: 'ada' | 'ben' | 'sid', columns: Record<string, string>) {
      const { [from]: sender, sid, max } = cast().members
      const recipient = from === 'sid' ? max : sid
      const conversation = crypto.randomUUID()
      const pair = { id: conversation, participant_1: sender.id, participant_2: recipient.id }
      expectDone(await sender.client.from('conversations').insert(pair))
      const row = { conversation_id: conversation, sender_id: sender.id, content: '' }
      return sender.client.from('messages').insert({ ...row, ...columns })
    }

    test('FEED-17 a follower shares a private post, and its recipient sees neither text, picture nor author', async () => {
      const { sid } = cast().members
      expectDone(await share('ben', { shared_post_id: cast().ids.post }))
      const shared = await sid.client
        .from('messages')
        .select('content,shared_kind,shared_post_id,posts!messages_shared_post_id_fkey(*)')
        .eq('shared_kind', 'post')
      expect(rowsOf(shared)).toEqual([
        { content: '', shared_kind: 'post', shared_post_id: cast().ids.post, posts: null },
      ])
      expect(rowsOf(await sid.client.from('posts').select('*').eq('id', cast().ids.post))).toEqual([])
    })

    test('FEED-17 a follower shares a private story, which its recipient does not see', async () => {
      const { sid } = cast().members
      expectDone(await share('ben', { shared_story_id: cast().ids.story }))
      const shared = await sid.client.from('messages').select('stories!messages_shared_story_id_fkey(*)')
      expect(rowsOf(shared)).toContainEqual({ stories: null })
    })

    test('FEED-17 nobody shares what they cannot see', async () => {
      expectRefused(await share('sid', { shared_post_id: cast().ids.post }))
    })
  })
}
