import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { moveCounts, PROFILE_KEY } from '#/renderer/features/people/counts'

/** A promise that the test resolves. */
function latch() {
  let resolve = (_value: ReturnType<typeof profile>): void => undefined
  const promise = new Promise<ReturnType<typeof profile>>((open) => {
    resolve = open
  })
  return { promise, resolve: (value: ReturnType<typeof profile>) => resolve(value) }
}

const profile = (id: string) => ({ id, follower_count: 3, following_count: 5 })

test('PROF-04 a follow counts for both, and for nobody else', () => {
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

test('PROF-04 taking it back counts down, never below zero', () => {
  const client = new QueryClient()
  client.setQueryData([...PROFILE_KEY, 'followed'], { id: 'followed', follower_count: 1, following_count: 0 })
  moveCounts(client, 'follower', 'followed', -1)
  moveCounts(client, 'follower', 'followed', -1)
  expect(client.getQueryData([...PROFILE_KEY, 'followed'])).toMatchObject({ follower_count: 0 })
})

test('PROF-04 a profile that is just being read anew does not bring the old count back', async () => {
  const client = new QueryClient()
  const key = [...PROFILE_KEY, 'followed']
  client.setQueryData(key, profile('followed'))
  const answer = latch()
  const reading = client.fetchQuery({ queryKey: key, queryFn: () => answer.promise }).catch(() => undefined)
  moveCounts(client, 'follower', 'followed', 1)
  answer.resolve(profile('followed'))
  await reading
  expect(client.getQueryData(key)).toMatchObject({ follower_count: 4 })
})

test('a profile that is read for the first time is read on', async () => {
  const client = new QueryClient()
  const key = [...PROFILE_KEY, 'followed']
  const answer = latch()
  const reading = client.fetchQuery({ queryKey: key, queryFn: () => answer.promise })
  moveCounts(client, 'follower', 'followed', 1)
  answer.resolve(profile('followed'))
  await reading
  expect(client.getQueryData(key)).toEqual(profile('followed'))
})
