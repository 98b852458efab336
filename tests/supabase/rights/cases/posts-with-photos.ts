import { beforeEach, describe, expect, test } from 'vitest'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { rowsOf } from '#tests/supabase/rights/answers'
import type { Cast } from '#tests/supabase/rights/cast'

/** Posts with photos over the API, where a refusal has a status. */
export function describePostsWithPhotos(cast: () => Cast): void {
  describe('posts with photos', () => {
    beforeEach(() => cast().restore('public'))

    const post = crypto.randomUUID()

    test('MEDIA-01 create_post returns the post, and other tables embed its photos', async () => {
      const { server, members } = cast()
      const photos = [photoOf(await addObjects(server.query, members.ada.id))]
      const created = await members.ada.client
        .rpc('create_post', { post_id: post, media: photos })
        .select('id')
        .single()
      expect([created.status, created.data]).toEqual([200, { id: post }])
      await members.fay.client.from('saved_posts').insert({ user_id: members.fay.id, post_id: post })
      const saved = members.fay.client
        .from('saved_posts')
        .select('post:posts!saved_posts_post_id_fkey(media:post_media(full_path,feed_path))')
      const [{ full_path, feed_path } = photoOf(['', '', '', ''])] = photos
      expect(rowsOf(await saved)).toEqual([{ post: { media: [{ full_path, feed_path }] } }])
    })

    test('MEDIA-01 create_post and an insert answer 400 to an empty post, and 404 to photos that are not there', async () => {
      const { members, keys } = cast()
      const { ada, sid } = members
      const empty = { status: 400, error: { code: '23514' } }
      expect(await ada.client.rpc('create_post', { post_id: post, content: ' ' })).toMatchObject(empty)
      expect(await ada.client.from('posts').insert({ user_id: ada.id })).toMatchObject(empty)
      const missing = { status: 404, error: { code: 'PT404' } }
      const stolen = { post_id: post, media: [photoOf(keys.spare)] }
      expect(await sid.client.rpc('create_post', stolen)).toMatchObject(missing)
      const key = `${ada.id}/${post}.webp`
      const unknown = [key, key, key, key] as const
      expect(await ada.client.rpc('create_post', { post_id: post, media: [photoOf(unknown)] })).toMatchObject(
        missing,
      )
      expect(await cast().server.query`select 1 from public.posts where id = ${post}`).toEqual([])
    })
  })
}
