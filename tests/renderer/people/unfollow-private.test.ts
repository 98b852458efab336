import { expect, test, vi } from 'vitest'
import { relationKeys } from '#/renderer/features/people/keys'
import { toggleFollow } from '#/renderer/features/people/mutations'
import { createQueryClient } from '#/renderer/lib/queries/query-client'

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({ rpc: () => null }),
  unwrap: async () => null,
}))

const POST = { id: 'p', user_id: 'ada' }

const PAGES = {
  pages: [
    {
      posts: [
        { id: 'p', author: 'ada' },
        { id: 'q', author: 'ben' },
      ],
    },
  ],
  pageParams: [null],
}

async function unfollow(is_private: boolean) {
  const client = createQueryClient()
  for (const kind of ['following', 'everyone']) client.setQueryData(['feed', kind, 'pages'], PAGES)
  client.setQueryData(relationKeys.of('ada'), 'following')
  client.setQueryData(['post', 'p'], POST)
  client.setQueryData(['grid', 'saved', 'me'], [{ id: 'p', author: { username: 'ada.l' } }])
  client.setQueryData(['profile', 'ada.l'], { id: 'ada', follower_count: 1, following_count: 0 })
  await toggleFollow(client, 'me', { id: 'ada', username: 'ada.l', is_private })
  return client
}

test('FEED-18 the posts of a private account that is no longer followed are forgotten, its profile is not', async () => {
  const client = await unfollow(true)
  expect(client.getQueryData(['post', 'p'])).toBeNull()
  expect(client.getQueryData(['grid', 'saved', 'me'])).toEqual([])
  expect(client.getQueryData(['profile', 'ada.l'])).toMatchObject({ id: 'ada', follower_count: 0 })
})

test('the posts of a public account stay when it is no longer followed', async () => {
  const client = await unfollow(false)
  expect(client.getQueryData(['post', 'p'])).toEqual(POST)
})

test('FEED-13 the posts of a public account leave the feed of followed members only', async () => {
  const client = await unfollow(false)
  expect(client.getQueryData(['feed', 'everyone', 'pages'])).toEqual(PAGES)
  expect(client.getQueryData(['feed', 'following', 'pages'])).toEqual({
    pages: [{ posts: [{ id: 'q', author: 'ben' }] }],
    pageParams: [null],
  })
})
