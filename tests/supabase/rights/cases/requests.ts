import { describe, expect, test } from 'vitest'
import { expectDone, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import type { Cast } from '#tests/supabase/rights/cast'

/** Messages of strangers, and each member's own view of a conversation. */
export function describeRequests(cast: () => Cast): void {
  describe('message requests', () => {
    /** Sid, a stranger, writes to Ada. */
    async function request() {
      await cast().restore('public')
      const { ada, sid } = cast().members
      const id = crypto.randomUUID()
      expectDone(
        await sid.client.from('conversations').insert({ id, participant_1: sid.id, participant_2: ada.id }),
      )
      const send = (content: string) =>
        sid.client.from('messages').insert({ conversation_id: id, sender_id: sid.id, content })
      return { id, ada, sid, send }
    }

    test('MSG-14 the sender learns of a delivery only after the recipient has accepted, and nobody reports for another', async () => {
      const { id, ada, sid, send } = await request()
      expectDone(await send('Hello'))
      const delivered = async () =>
        rowsOf(await sid.client.from('conversation_views').select('delivered_at').eq('conversation_id', id))
      expectDone(await ada.client.rpc('mark_delivered'))
      expect(await delivered()).toEqual([{ delivered_at: null }])
      expectDone(
        await ada.client.from('conversation_views').update({ folder: 'inbox' }).eq('conversation_id', id),
      )
      expectDone(await sid.client.rpc('mark_delivered'))
      expect(await delivered()).toEqual([{ delivered_at: null }])
      expectDone(await ada.client.rpc('mark_delivered'))
      expect(await delivered()).toEqual([{ delivered_at: expect.any(String) }])
    })

    test('MSG-13 a member who wants no new messages gets none, not even replies to a story', async () => {
      const { id, ada, sid, send } = await request()
      expectDone(await ada.client.from('profiles').update({ new_messages_from: 'nobody' }).eq('id', ada.id))
      expectRefused(await send('Hello'))
      const { story } = cast().ids
      expectRefused(
        await sid.client
          .from('messages')
          .insert({ conversation_id: id, sender_id: sid.id, content: 'Nice', story_id: story }),
      )
    })
  })
}
