import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { PROFILE_KEY } from '#/renderer/features/people/keys'
import { moveCounts } from '#/renderer/features/people/mutations'
import { gate } from '#tests/gate'

const profile = (id: string) => ({ id, follower_count: 3, following_count: 5 })

test('PROF-04 a follow raises the counts of both members and of no one else', () => {
  const client = new QueryClient()
  for (const id of ['follower', 'followed', 'other']) client.setQueryData([...PROFILE_KEY, id], profile(id))
  client.setQueryData([...PROFILE_KEY, 'nobody'], null)
  moveCounts(client, 'follower', 'followed', 1)
  expect(client.getQueryData([...PROFILE_KEY, 'followed'])).toMatchObject({
    follower_count: 4,
    following_count: 5,
  })
  expect(client.getQueryData([...PROFILE_KEY, 'follower'])).toMatchObject({
    follower_count: 3,
    following_count: 6,
  })
  expect(client.getQueryData([...PROFILE_KEY, 'other'])).toEqual(profile('other'))
  expect(client.getQueryData([...PROFILE_KEY, 'nobody'])).toBeNull()
})

test('PROF-04 an unfollow lowers the count, never below zero', () => {
  const client = new QueryClient()
  client.setQueryData([...PROFILE_KEY, 'followed'], { id: 'followed', follower_count: 1, following_count: 0 })
  moveCounts(client, 'follower', 'followed', -1)
  moveCounts(client, 'follower', 'followed', -1)
  expect(client.getQueryData([...PROFILE_KEY, 'followed'])).toMatchObject({ follower_count: 0 })
})

test('PROF-04 a profile refetch in flight does not restore the old count', async () => {
  const client = new QueryClient()
  const key = [...PROFILE_KEY, 'followed']
  client.setQueryData(key, profile('followed'))
  const response = gate()
  const fetching = client
    .fetchQuery({ queryKey: key, queryFn: () => response.opened.then(() => profile('followed')) })
    .catch(() => undefined)
  moveCounts(client, 'follower', 'followed', 1)
  response.open()
  await fetching
  expect(client.getQueryData(key)).toMatchObject({ follower_count: 4 })
})

test('a follow does not cancel the first fetch of a profile', async () => {
  const client = new QueryClient()
  const key = [...PROFILE_KEY, 'followed']
  const response = gate()
  const fetching = client.fetchQuery({
    queryKey: key,
    queryFn: () => response.opened.then(() => profile('followed')),
  })
  moveCounts(client, 'follower', 'followed', 1)
  response.open()
  await fetching
  expect(client.getQueryData(key)).toEqual(profile('followed'))
})
