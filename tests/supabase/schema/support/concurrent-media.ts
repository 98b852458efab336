import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { type Action, remove } from './actions'
import { LIFT_QUOTAS } from './community'
import { hold, type Sessions } from './sessions'

/** Posts with photos that several connections insert, change and delete at once. */
export function describeConcurrentMedia(open: () => Sessions): void {
  const upload = (member: string) =>
    addObjects((statement, parameters) => open().sql.unsafe(statement, parameters as never[]), member)
  const post =
    (id: string, photos: object[]): Action =>
    (tx) =>
      tx`select id from create_post(${id}, '', null, ${tx.json(photos as never)})`
  const holdAs = (member: string, action: Action) => hold((work) => open().as(member, work), action)

  describe('concurrent posts with photos', () => {
    test('MEDIA-01 two calls of create_post with the same id insert one post and return it', async () => {
      const { sql, join, as, waitUntilBlocked } = open()
      const ada = await join('photos.ada')
      const id = randomUUID()
      const photos = [photoOf(await upload(ada))]
      const first = await holdAs(ada, post(id, photos))
      const second = as(ada, post(id, photos))
      await waitUntilBlocked(1)
      await first.commit()
      expect(await second).toEqual([{ id }])
      expect(await sql`select position from post_media where post_id = ${id}`).toEqual([{ position: 0 }])
      expect(await sql`select post_count from profiles where id = ${ada}`).toEqual([{ post_count: 1 }])
    })

    test('SAFE-06 two posts at once cannot exceed the quota of media together', async () => {
      const { sql, join, as, waitUntilBlocked } = open()
      const ben = await join('photos.ben')
      await sql`update private.quotas set per_day = 50 where kind = 'posts'`
      await sql`update private.quotas set per_day = 5000 where kind = 'media_bytes'`
      const first = await holdAs(ben, post(randomUUID(), [photoOf(await upload(ben))]))
      const refused = expect(as(ben, post(randomUUID(), [photoOf(await upload(ben))]))).rejects.toEqual(
        expect.objectContaining({ code: 'PT429', detail: 'media_bytes' }),
      )
      await waitUntilBlocked(1)
      await first.commit()
      await refused
      await sql.unsafe(LIFT_QUOTAS)
    })

    test('a post that is deleted while its alternative text changes is deleted without a deadlock', async () => {
      const { sql, join, as, waitUntilBlocked } = open()
      const cleo = await join('photos.cleo')
      const id = randomUUID()
      await as(cleo, post(id, [photoOf(await upload(cleo))]))
      const describing = await holdAs(
        cleo,
        (tx) => tx`update post_media set alt_text = 'A weir' where post_id = ${id}`,
      )
      const deleted = as(cleo, remove(id))
      await waitUntilBlocked(1)
      await describing.commit()
      await deleted
      expect(await sql`select from posts where id = ${id}`).toHaveLength(0)
      expect(await sql`select from post_media where post_id = ${id}`).toHaveLength(0)
    })
  })
}
