import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectDone, expectInvalid, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import type { Cast } from '#tests/supabase/rights/cast'

/** Only the two members of a conversation can read and write in it. */
export function describeMessages(cast: () => Cast): void {
  describe('messages', () => {
    beforeEach(() => cast().restore('public'))

    test('others cannot read a conversation in any way', async () => {
      const { sid, ada, max } = cast().members
      const { conversation } = cast().ids
      const requests = [
        sid.client.from('messages').select('content'),
        sid.client.from('messages').select('content').eq('conversation_id', conversation),
        sid.client.from('conversations').select('id,messages(content)'),
        sid.client
          .from('profiles')
          .select('messages!messages_sender_id_fkey!inner(content)')
          .eq('id', ada.id),
        sid.client
          .from('profiles')
          .select('messages!messages_recipient_id_fkey!inner(content)')
          .eq('id', max.id),
        sid.client.from('profiles').select('conversations!conversations_participant_1_fkey!inner(id)'),
        sid.client.from('profiles').select('conversations!conversations_participant_2_fkey!inner(id)'),
      ]
      for (const request of requests) expect(rowsOf(await request)).toEqual([])
      const head = await sid.client.from('messages').select('id', { count: 'exact', head: true })
      expect([head.error, head.count]).toEqual([null, 0])
    })

    test('sender and recipient cannot be forged', async () => {
      const { sid, ada, max } = cast().members
      const { server, ids } = cast()
      const row = { conversation_id: ids.conversation, content: 'Hello' }
      expectRefused(await max.client.from('messages').insert({ ...row, sender_id: ada.id }))
      await max.client.from('messages').insert({ ...row, sender_id: max.id, recipient_id: sid.id })
      await max.client.from('messages').insert({ ...row, sender_id: max.id, recipient_id: max.id })
      expectDone(await max.client.from('messages').insert({ ...row, sender_id: max.id }))
      const recipients = await server.query`select distinct recipient_id as id from public.messages
        where sender_id = ${max.id}`
      expect(recipients).toEqual([{ id: ada.id }])
    })

    test('the recipient can change only whether a message was read', async () => {
      const { max } = cast().members
      const { ids } = cast()
      const both = max.client.from('messages').update({ read: true, content: 'I never said that' })
      expectRefused(await both.eq('id', ids.message))
      expect(rowsOf(await max.client.from('messages').select('content,read'))).toEqual([
        { content: 'Coffee on Friday?', read: false },
      ])
    })

    test('only the sender can unsend a message, which permanently deletes its text', async () => {
      const { ada, max } = cast().members
      const { message } = cast().ids
      const take = (client: typeof ada.client, deleted_at: string | null) =>
        client.from('messages').update({ deleted_at }).eq('id', message)
      expectRefused(await take(max.client, '2001-01-01T00:00:00Z'))
      expectDone(await take(ada.client, '2001-01-01T00:00:00Z'))
      await take(ada.client, null)
      const [left] = await cast().server.query(
        `select content, deleted_at > now() - interval '1 minute' as just_now from public.messages where id = $1`,
        [message],
      )
      expect(left).toEqual({ content: '', just_now: true })
    })

    test('MSG-02 two members have one conversation, no matter who started it, and nobody has one alone', async () => {
      const { ada, max, sid } = cast().members
      const pair = (first: { id: string }, second: { id: string }) => ({
        participant_1: first.id,
        participant_2: second.id,
      })
      expect((await ada.client.from('conversations').insert(pair(ada, max))).error?.code).toBe('23505')
      expect((await max.client.from('conversations').insert(pair(max, ada))).error?.code).toBe('23505')
      expect((await max.client.from('conversations').insert(pair(ada, max))).error?.code).toBe('23505')
      expectInvalid(await sid.client.from('conversations').insert(pair(sid, sid)))
    })

    test('MSG-04 only sending changes last_message_at: an update by a participant succeeds and changes nothing', async () => {
      const { ada, max, sid } = cast().members
      const { ids, out } = cast()
      const last = async () => rowsOf(await ada.client.from('conversations').select('last_message_at'))
      const before = await last()
      const update = (client: SupabaseClient) =>
        client
          .from('conversations')
          .update({ last_message_at: '2099-01-01T00:00:00Z' })
          .eq('id', ids.conversation)
          .select('last_message_at')
      for (const { client } of [ada, max]) expect(rowsOf(await update(client))).toEqual(before)
      expect(rowsOf(await update(sid.client))).toEqual([])
      expectRefused(await update(out))
      const forged = { last_message_at: '2099-01-01T00:00:00Z', participant_1_wrote: true }
      expectRefused(await ada.client.from('conversations').update(forged).eq('id', ids.conversation))
      expect(await last()).toEqual(before)
      await cast().server.query(`update public.conversations set last_message_at = '2001-01-01T00:00:00Z'`)
      const row = { conversation_id: ids.conversation, sender_id: ada.id, content: 'At ten?' }
      expectDone(await ada.client.from('messages').insert(row))
      const [moved] = await cast().server.query`
        select last_message_at > now() - interval '1 minute' and last_message_at <= clock_timestamp() as recent
         from public.conversations where id = ${ids.conversation}`
      expect(moved).toEqual({ recent: true })
    })
  })
}
