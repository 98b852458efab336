import { beforeEach, expect, test, vi } from 'vitest'
import { relationKeys } from '#/renderer/features/people/keys'
import { toggleFollow, wantedFollows } from '#/renderer/features/people/mutations'
import { createQueryClient } from '#/renderer/lib/queries/query-client'

const sent = vi.hoisted(() => [] as string[])

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({ from: (table: string) => ({ upsert: () => sent.push(table) }) }),
  unwrap: async () => null,
}))

const ADA = { id: 'ada', username: 'ada.l', is_private: false }
const KEY = relationKeys.of('ada')

beforeEach(() => sent.splice(0))

test('PROF-04 a press on Follow is kept while the relation is not known, and sent once it is', async () => {
  const client = createQueryClient()
  const following = toggleFollow(client, 'me', ADA)
  expect(wantedFollows(client).getState().has('ada')).toBe(true)
  expect(sent).toEqual([])
  client.setQueryData(KEY, 'none')
  await following
  expect(sent).toEqual(['follows'])
  expect(client.getQueryData(KEY)).toBe('following')
  expect(wantedFollows(client).getState().size).toBe(0)
})

test('PROF-04 a kept press changes nothing for a member who is followed already', async () => {
  const client = createQueryClient()
  const following = toggleFollow(client, 'me', ADA)
  client.setQueryData(KEY, 'following')
  await following
  expect(sent).toEqual([])
  expect(client.getQueryData(KEY)).toBe('following')
})

test('PROF-04 a second press takes a kept press back', async () => {
  const client = createQueryClient()
  const first = toggleFollow(client, 'me', ADA)
  await toggleFollow(client, 'me', ADA)
  expect(wantedFollows(client).getState().size).toBe(0)
  client.setQueryData(KEY, 'none')
  await first
  expect(sent).toEqual([])
  expect(client.getQueryData(KEY)).toBe('none')
})
