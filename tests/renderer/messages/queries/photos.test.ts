import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { messageKeys } from '#/renderer/features/messages/keys'
import { type PhotoPages, photosOf } from '#/renderer/features/messages/model/photos'
import { clearMessages, refetchHistories, upsertMessage } from '#/renderer/features/messages/queries/messages'
import { message } from '../messages'

const KEY = messageKeys.photos('conversation')
const photo = (id: string, minute: number) => message(id, minute, { media_id: `photo ${id}` })
const pagesOf = (...photos: ReturnType<typeof photo>[]): PhotoPages => ({
  pages: [{ photos, next: undefined }],
  pageParams: [null],
})

const client = new QueryClient()
afterEach(() => client.clear())

function shown(): string[] | undefined {
  const data = client.getQueryData<PhotoPages>(KEY)
  return data && photosOf(data).map(({ id }) => id)
}

test('FEED-21 a sent, received or unsent photo changes the shared photos, also before the messages are loaded', () => {
  client.setQueryData(KEY, pagesOf(photo('a', 1)))
  upsertMessage(client, photo('b', 2))
  upsertMessage(client, message('text', 3))
  expect(shown()).toEqual(['b', 'a'])
  upsertMessage(client, message('a', 1, { deleted_at: photo('x', 9).created_at }))
  expect(shown()).toEqual(['b'])
  upsertMessage(client, { ...photo('elsewhere', 4), conversation_id: 'other' })
  expect(shown()).toEqual(['b'])
  clearMessages(client, 'conversation', photo('x', 9).created_at)
  expect(shown()).toEqual([])
})

test('FEED-21 a photo that arrives during a read is not lost with an older response', async () => {
  const responses: ((data: PhotoPages) => void)[] = []
  const queryFn = () => new Promise<PhotoPages>((resolve) => responses.push(resolve))
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn })
  const stop = observer.subscribe(() => undefined)
  await expect.poll(() => responses.length).toBe(1)
  upsertMessage(client, photo('b', 2))
  await expect.poll(() => responses.length).toBe(2)
  responses[0]?.(pagesOf(photo('a', 1)))
  responses[1]?.(pagesOf(photo('b', 2), photo('a', 1)))
  await expect.poll(shown).toEqual(['b', 'a'])

  // Texts do not repeat a read.
  refetchHistories(client)
  await expect.poll(() => responses.length).toBe(3)
  upsertMessage(client, message('text', 3))
  responses[2]?.(pagesOf(photo('a', 1)))
  await expect.poll(shown).toEqual(['a'])
  expect(responses).toHaveLength(3)
  stop()
})
