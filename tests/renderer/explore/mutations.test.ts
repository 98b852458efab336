import { beforeEach, expect, test, vi } from 'vitest'
import { exploreKeys } from '#/renderer/features/explore/keys'
import { setFollowsHashtag } from '#/renderer/features/explore/mutations'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { createQueryClient } from '#/renderer/lib/queries/query-client'

const server = vi.hoisted(() => ({ sent: [] as unknown[], fails: false }))

vi.mock('#/renderer/features/people', async () => import('#/renderer/features/people/keys'))
vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({
    from: (table: string) => ({
      upsert: (row: unknown) => ['follow', table, row],
      delete: () => ({
        eq: (_: string, me: string) => ({ eq: (_: string, tag: string) => ['unfollow', table, me, tag] }),
      }),
    }),
  }),
  unwrap: async (request: unknown) => {
    if (server.fails) throw new AppError('server', '', '')
    server.sent.push(request)
  },
}))

beforeEach(() => Object.assign(server, { sent: [], fails: false }))

const shown = (client: ReturnType<typeof createQueryClient>) =>
  client.getQueryData(exploreKeys.follows('fog'))

test('FEED-16 following a hashtag shows at once, and so does unfollowing it', async () => {
  const client = createQueryClient()
  const following = setFollowsHashtag(client, 'me', 'fog', true)
  expect(shown(client)).toBe(true)
  await following
  await setFollowsHashtag(client, 'me', 'fog', false)
  expect(shown(client)).toBe(false)
  expect(server.sent).toEqual([
    ['follow', 'hashtag_follows', { follower_id: 'me', tag: 'fog' }],
    ['unfollow', 'hashtag_follows', 'me', 'fog'],
  ])
})

test('FEED-16 a follow of a hashtag that fails is undone and logged', async () => {
  const client = createQueryClient()
  server.fails = true
  await setFollowsHashtag(client, 'me', 'fog', true)
  expect(shown(client)).toBe(false)
  expect(logFailure).toHaveBeenCalledWith('follow hashtag', expect.any(AppError))
})
