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

    test('MSG-13 the sender learns nothing from a read, a reaction or the recipient’s view', async () => {
      const { id, ada, sid, send } = await request()
      expectDone(await send('Hello'))
      // The call of the specification.
      expectDone(
        await ada.client
          .from('messages')
          .update({ read: true })
          .eq('conversation_id', id)
          .neq('sender_id', ada.id),
      )
      expectRefused(
        await ada.client.from('messages').update({ recipient_reaction: '🔥' }).eq('conversation_id', id),
      )
      expect(
        rowsOf(await sid.client.from('messages').select('read,read_at').eq('conversation_id', id)),
      ).toEqual([{ read: false, read_at: null }])
      expect(
        rowsOf(await sid.client.from('conversation_members').select('member_id').eq('conversation_id', id)),
      ).toEqual([{ member_id: sid.id }])
    })

    test('MSG-14 the sender learns of a delivery only after the recipient has accepted, and nobody reports for another', async () => {
      const { id, ada, sid, send } = await request()
      expectDone(await send('Hello'))
      const delivered = async () =>
        rowsOf(await sid.client.from('conversation_members').select('delivered_at').eq('conversation_id', id))
      expectDone(await ada.client.rpc('mark_delivered'))
      expect(await delivered()).toEqual([{ delivered_at: null }])
      expectDone(
        await ada.client.from('conversation_members').update({ folder: 'inbox' }).eq('conversation_id', id),
      )
      expectDone(await sid.client.rpc('mark_delivered'))
      expect(await delivered()).toEqual([{ delivered_at: null }])
      expectDone(await ada.client.rpc('mark_delivered'))
      expect(await delivered()).toEqual([{ delivered_at: expect.any(String) }])
    })

    test('MSG-13 nobody accepts for another member, or puts a request into their inbox', async () => {
      const { id, ada, sid, send } = await request()
      expectDone(await send('Hello'))
      await sid.client.from('conversation_members').update({ folder: 'inbox' }).eq('conversation_id', id)
      const folder = async () =>
        rowsOf(await ada.client.from('conversation_members').select('folder').eq('conversation_id', id))
      expect(await folder()).toEqual([{ folder: 'requests' }])
      for (const content of ['again', 'and again']) expectDone(await send(content))
      expectRefused(await send('and again'))
      expectRefused(
        await ada.client
          .from('conversation_members')
          .update({ folder: 'archived' })
          .eq('conversation_id', id),
      )
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

    test('MSG-15 deleted messages are gone for the member in every call, and stay for the other', async () => {
      const { id, ada, sid, send } = await request()
      expectDone(await send('Hello'))
      expectDone(
        await ada.client
          .from('conversation_members')
          .update({ cleared_at: '2001-01-01T00:00:00Z' })
          .eq('conversation_id', id),
      )
      const read = async ({ client }: typeof ada) => ({
        listed: rowsOf(await client.from('messages').select('content').eq('conversation_id', id)),
        embedded: rowsOf(
          await client
            .from('conversations')
            .select('messages!messages_conversation_id_fkey(content)')
            .eq('id', id),
        ),
      })
      expect(await read(ada)).toEqual({ listed: [], embedded: [{ messages: [] }] })
      expect(await read(sid)).toEqual({
        listed: [{ content: 'Hello' }],
        embedded: [{ messages: [{ content: 'Hello' }] }],
      })
    })
  })
}
