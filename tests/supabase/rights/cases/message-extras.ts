import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectDone, rowsOf } from '#tests/supabase/rights/answers'
import { type Cast, PICTURE } from '#tests/supabase/rights/cast'

/** Photos, replies and reactions are visible only to the two members of the conversation, like the text. */
export function describeMessageExtras(cast: () => Cast): void {
  describe('message photos, replies and lists', () => {
    beforeEach(() => cast().restore('public'))

    const photosOf = async (client: SupabaseClient) => rowsOf(await client.from('message_media').select('id'))

    test('MSG-11 others cannot read a photo in any way, and it is deleted with its message', async () => {
      const { ada, ben, max, sid } = cast().members
      const { photo, message } = cast().ids
      for (const { client } of [ben, sid]) {
        const requests = [
          client.from('message_media').select('image_url').eq('id', photo),
          client.from('messages').select('photo:message_media!messages_media_id_fkey(image_url)'),
          client.from('conversations').select('message_media(image_url)'),
          client.from('profiles').select('message_media!inner(image_url)'),
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
      expectDone(await ada.client.from('message_media').insert({ ...row, sender_id: ada.id }))
      expect(await photosOf(ada.client)).toHaveLength(2)
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
        media_id: photo.id,
        thumbnail_url: PICTURE,
        image_width: 1,
        image_height: 1,
      }
      for (let n = 0; n < 2; n += 1) {
        expectDone(await ada.client.from('message_media').upsert(photo, { ignoreDuplicates: true }))
        expectDone(await ada.client.from('messages').upsert(message, { ignoreDuplicates: true }))
      }
      expect(await cast().server.query('select 1 from public.messages')).toHaveLength(2)
    })
  })
}
