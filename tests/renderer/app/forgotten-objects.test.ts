import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { messageKeys } from '#/renderer/features/messages/keys'
import { upsertMessage } from '#/renderer/features/messages/queries/messages'
import { postKeys } from '#/renderer/features/post/keys'
import { forgetPost } from '#/renderer/features/post/queries'
import { removeMedia } from '#/renderer/features/stories/queries'
import { OBJECT_KEY } from '#/renderer/lib/media-store/kept-objects'
import { message } from '#tests/renderer/messages/messages'

let client: QueryClient

/** Keeps the files of these objects, as after they were shown. */
function keep(...paths: string[]): void {
  for (const path of paths) client.setQueryData([OBJECT_KEY, path, 'full'], null)
}

function kept(): unknown[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: [OBJECT_KEY] })
    .map(({ queryKey }) => queryKey[1])
}

beforeEach(() => {
  client = new QueryClient()
})

test('MEDIA-07 the files of a post go with the post', () => {
  keep('full', 'feed', 'grid', 'video', 'avatar')
  const media = [{ full_path: 'full', feed_path: 'feed', grid_path: 'grid', media_path: 'video' }]
  client.setQueryData(postKeys.post('p'), { id: 'p', media })
  forgetPost(client, 'p')
  expect(kept()).toEqual(['avatar'])
})

test('MEDIA-07 the files of a story go with the story', () => {
  keep('media', 'poster', 'other')
  removeMedia(client, { id: 's', media_path: 'media', poster_path: 'poster' })
  expect(kept()).toEqual(['other'])
})

test('MEDIA-07 the files of a photo go when its message is unsent', () => {
  keep('image', 'thumbnail', 'other')
  const sent = message('m', 1, { media_id: 'photo' })
  const { conversation_id: id } = sent
  client.setQueryData(messageKeys.history(id), { messages: [sent], hasOlder: false })
  client.setQueryData(messageKeys.photo('photo'), { media_path: 'image', poster_path: 'thumbnail' })
  upsertMessage(client, { ...sent, content: 'edited' })
  expect(kept()).toHaveLength(3)
  upsertMessage(client, { ...sent, media_id: null, deleted_at: sent.created_at })
  expect(kept()).toEqual(['other'])
})
