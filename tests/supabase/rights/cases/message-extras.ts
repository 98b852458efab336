import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectDone, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import { type Cast, PICTURE } from '#tests/supabase/rights/cast'

/** Photos, replies and reactions are visible only to the two members of the conversation, like the text. */
export function describeMessageExtras(cast: () => Cast): void {
  describe('message photos, replies and lists', () => {
    beforeEach(() => cast().restore('public'))

    const photosOf = async (client: SupabaseClient) =>
      rowsOf(await client.from('message_photos').select('id'))

    test('MSG-11 others cannot read a photo in any way, and it is deleted with its message', async () => {
      const { ada, ben, max, sid } = cast().members
      const { photo, message } = cast().ids
      for (const { client } of [ben, sid]) {
        const requests = [
          client.from('message_photos').select('image_url').eq('id', photo),
          client.from('messages').select('photo:message_photos!messages_photo_id_fkey(image_url)'),
          client.from('conversations').select('message_photos(image_url)'),
          client.from('profiles').select('message_photos!inner(image_url)'),
        ]
        for (const request of requests) expect(rowsOf(await request)).toEqual([])
      }
      expect([await photosOf(ada.client), await photosOf(max.client)]).toEqual([
        [{ id: photo }],
        [{ id: photo }],
      ])
      expectDone(await ada.client.from('messages').update({ deleted_at: 'now' }).eq('id', message))
      expect([await photosOf(ada.client), await photosOf(max.client)]).toEqual([[], []])
    })

    test('MSG-11 only its sender can read and use a photo that was not sent yet', async () => {
      const { ada, max } = cast().members
      const { conversation, photo } = cast().ids
      const row = { id: crypto.randomUUID(), conversation_id: conversation, image_url: PICTURE }
      expectDone(await ada.client.from('message_photos').insert({ ...row, sender_id: ada.id }))
      expect(await photosOf(ada.client)).toHaveLength(2)
      expect(await photosOf(max.client)).toEqual([{ id: photo }])
      // Max cannot send a photo of another member.
      const stolen = {
        conversation_id: conversation,
        sender_id: max.id,
        content: 'Mine',
        photo_id: row.id,
        thumbnail_url: PICTURE,
        image_width: 1,
        image_height: 1,
      }
      expectRefused(await max.client.from('messages').insert(stolen))
      expect(await photosOf(max.client)).toEqual([{ id: photo }])
    })

    test('MSG-11 a message that is sent twice is stored once', async () => {
      const { ada } = cast().members
      const { conversation } = cast().ids
      const photo = {
        id: crypto.randomUUID(),
        conversation_id: conversation,
        sender_id: ada.id,
        image_url: PICTURE,
      }
      const message = {
        id: crypto.randomUUID(),
        conversation_id: conversation,
        sender_id: ada.id,
        content: '',
        photo_id: photo.id,
        thumbnail_url: PICTURE,
        image_width: 1,
        image_height: 1,
      }
      for (let n = 0; n < 2; n += 1) {
        expectDone(await ada.client.from('message_photos').upsert(photo, { ignoreDuplicates: true }))
        expectDone(await ada.client.from('messages').upsert(message, { ignoreDuplicates: true }))
      }
      expect(await cast().server.query('select 1 from public.messages')).toHaveLength(2)
    })

    test('MSG-11 a reply cannot show a message of another conversation', async () => {
      const { max, sid } = cast().members
      const { message } = cast().ids
      const id = crypto.randomUUID()
      expectDone(
        await sid.client.from('conversations').insert({ id, participant_1: sid.id, participant_2: max.id }),
      )
      const row = { conversation_id: id, content: 'Look', reply_to_id: message }
      for (const { client, id: sender_id } of [sid, max]) {
        expectRefused(await client.from('messages').insert({ ...row, sender_id }))
      }
    })

    test('MSG-07 members see only their own list and badge', async () => {
      const { ada, max, sid } = cast().members
      const { conversation } = cast().ids
      const list = async (client: SupabaseClient) => rowsOf(await client.rpc('my_conversations').select('id'))
      const badge = async (client: SupabaseClient) => (await client.rpc('unread_conversations')).data
      expect([await list(ada.client), await list(max.client)]).toEqual([
        [{ id: conversation }],
        [{ id: conversation }],
      ])
      expect(await list(sid.client)).toEqual([])
      expect([await badge(ada.client), await badge(max.client), await badge(sid.client)]).toEqual([0, 1, 0])
    })

    test('MSG-01 MSG-11 the list with its embeds and a reply with its original each need one request', async () => {
      const { ada, max } = cast().members
      const { conversation, message } = cast().ids
      const answer = {
        conversation_id: conversation,
        sender_id: max.id,
        content: 'Gladly',
        reply_to_id: message,
      }
      expectDone(await max.client.from('messages').insert(answer))
      const profile = 'username'
      const list = await ada.client
        .rpc('my_conversations')
        .select(
          `one:profiles!conversations_participant_1_fkey(${profile}),
           two:profiles!conversations_participant_2_fkey(${profile}),
           last:messages!messages_conversation_id_fkey(content),
           unread:messages!messages_conversation_id_fkey(content)`,
        )
        .order('created_at', { referencedTable: 'last', ascending: false })
        .limit(1, { referencedTable: 'last' })
        .eq('unread.recipient_id', ada.id)
        .is('unread.read', false)
        .is('unread.deleted_at', null)
        .limit(1, { referencedTable: 'unread' })
      expect(rowsOf(list)).toEqual([
        {
          one: { username: 'ada' },
          two: { username: 'max' },
          last: [{ content: 'Gladly' }],
          unread: [{ content: 'Gladly' }],
        },
      ])
      const page = ada.client
        .from('messages')
        .select('content,reply_to:reply_to_id(content)')
        .eq('conversation_id', conversation)
        .order('created_at', { ascending: false })
        .limit(1)
      expect(rowsOf(await page)).toEqual([{ content: 'Gladly', reply_to: { content: 'Coffee on Friday?' } }])
    })
  })
}
