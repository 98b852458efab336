import { expect, test, vi } from 'vitest'
import type { Share } from '#/backend/http/shares'
import { createUnreadResponses } from '#/backend/http/unread-responses'

const MB = 1024 * 1024

/** Responses to clients that do not read; `cut` lists the clients that the server disconnected. */
function openMemory() {
  const unread = createUnreadResponses()
  const cut: string[] = []
  const take = (key: string, bytes: number): Share | null => {
    const share = unread.take(
      {
        key,
        cut: () => {
          cut.push(key)
          share?.free()
        },
      },
      bytes,
    )
    return share
  }
  return { ...unread, take, cut }
}

test('holds only one of the largest responses, and has separate memory for smaller ones', () => {
  const { take, room, cut } = openMemory()
  const whole = room()
  const first = take('ada', whole)
  expect(take('ben', 2 * MB)).toBeNull()
  expect(room()).toBe(MB)
  expect(take('ben', MB)).not.toBeNull()
  first?.free()
  expect(room()).toBe(whole)
  expect(cut).toEqual([])
})

test('holds a response larger than all memory if it is the only one', () => {
  const { take, room } = openMemory()
  expect(take('ada', 2 * room())).not.toBeNull()
  expect(room()).toBe(MB)
})

test('disconnects the oldest small responses of a client that does not read in favour of other clients', () => {
  const { take, cut } = openMemory()
  let count = 0
  while (take('ada', MB) !== null) count += 1
  expect(count).toBeGreaterThan(5)
  expect(cut).toEqual([])
  expect(take('ben', MB)).not.toBeNull()
  expect(take('cleo', MB)).not.toBeNull()
  expect(cut).toEqual(['ada', 'ada'])
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
    const { take, room, freed, cut } = openMemory()
    await freed()
    const whole = room()
    const read = take('ada', whole)
    const afterRead = freed()
    read?.free()
    await afterRead
    expect(cut).toEqual([])

    take('ada', whole)
    vi.advanceTimersByTime(60_000)
    expect(cut).toEqual([])
    take('ben', MB)
    const afterCut = freed()
    await afterCut
    expect(cut).toEqual(['ada'])

    take('ada', whole)
    const afterFiveSeconds = freed()
    vi.advanceTimersByTime(4_900)
    expect(cut).toEqual(['ada'])
    vi.advanceTimersByTime(200)
    await afterFiveSeconds
    expect(cut).toEqual(['ada', 'ada'])
  } finally {
    vi.useRealTimers()
  }
})
