import { expect, test, vi } from 'vitest'
import type { Share } from '#/backend/http/shares'
import { createUnreadResponses } from '#/backend/http/unread-responses'

const MB = 1024 * 1024

/** Responses to clients that do not read; `disconnected` lists the clients that the server disconnected. */
function openMemory() {
  const unread = createUnreadResponses()
  const disconnected: string[] = []
  const take = (key: string, bytes: number): Share | null => {
    const share = unread.take(
      {
        key,
        disconnect: () => {
          disconnected.push(key)
          share?.free()
        },
      },
      bytes,
    )
    return share
  }
  return { ...unread, take, disconnected }
}

test('holds only one of the largest responses, and has separate memory for smaller ones', () => {
  const { take, availableBytes, disconnected } = openMemory()
  const whole = availableBytes()
  const first = take('ada', whole)
  expect(take('ben', 2 * MB)).toBeNull()
  expect(availableBytes()).toBe(MB)
  expect(take('ben', MB)).not.toBeNull()
  first?.free()
  expect(availableBytes()).toBe(whole)
  expect(disconnected).toEqual([])
})

test('holds a response larger than all memory if it is the only one', () => {
  const { take, availableBytes } = openMemory()
  expect(take('ada', 2 * availableBytes())).not.toBeNull()
  expect(availableBytes()).toBe(MB)
})

test('disconnects the oldest small responses of a client that does not read in favour of other clients', () => {
  const { take, disconnected } = openMemory()
  let count = 0
  while (take('ada', MB) !== null) count += 1
  expect(count).toBeGreaterThan(5)
  expect(disconnected).toEqual([])
  expect(take('ben', MB)).not.toBeNull()
  expect(take('cleo', MB)).not.toBeNull()
  expect(disconnected).toEqual(['ada', 'ada'])
  expect(take('ada', MB)).toBeNull()
})

test('does not count responses below 64 KB', () => {
  const { take } = openMemory()
  const shares = Array.from({ length: 1_000 }, () => take('ada', 60_000))
  expect(shares).not.toContain(null)
})

test('gives memory to a waiting read when another response has been read, or five seconds after it was sent', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const { take, availableBytes, freed, disconnected } = openMemory()
    await freed()
    const whole = availableBytes()
    const read = take('ada', whole)
    const afterRead = freed()
    read?.free()
    await afterRead
    expect(disconnected).toEqual([])

    take('ada', whole)
    vi.advanceTimersByTime(60_000)
    expect(disconnected).toEqual([])
    take('ben', MB)
    const afterCut = freed()
    await afterCut
    expect(disconnected).toEqual(['ada'])

    take('ada', whole)
    const afterFiveSeconds = freed()
    vi.advanceTimersByTime(4_900)
    expect(disconnected).toEqual(['ada'])
    vi.advanceTimersByTime(200)
    await afterFiveSeconds
    expect(disconnected).toEqual(['ada', 'ada'])
  } finally {
    vi.useRealTimers()
  }
})
