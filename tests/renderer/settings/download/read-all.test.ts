import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ROWS_MOST, type Row, readAll, withRetry } from '#/renderer/features/settings/download/read-all'
import { AppError } from '#/renderer/lib/core/errors'

const offline = () => new AppError('offline', 'The server cannot be reached', 'fetch')

describe('SAFE-05 a request of the download', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is retried after one second and after four more, then fails', async () => {
    const request = vi.fn(() => Promise.reject(offline()))
    const outcome = withRetry(new AbortController().signal, request).catch((error: unknown) => error)
    const requestsAfter = async (milliseconds: number) => {
      await vi.advanceTimersByTimeAsync(milliseconds)
      return request.mock.calls.length
    }
    expect(await requestsAfter(999)).toBe(1)
    expect(await requestsAfter(1)).toBe(2)
    expect(await requestsAfter(3_999)).toBe(2)
    expect(await requestsAfter(1)).toBe(3)
    expect(await outcome).toMatchObject({ code: 'offline' })
    expect(await requestsAfter(60_000)).toBe(3)
  })

  test('returns the result of a retry', async () => {
    const request = vi.fn(async () => 'rows').mockRejectedValueOnce(offline())
    const outcome = withRetry(new AbortController().signal, request)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await outcome).toBe('rows')
  })

  test('fails without a retry after a permanent error', async () => {
    const request = vi.fn(() => Promise.reject(new AppError('forbidden', 'Not allowed', '42501')))
    await expect(withRetry(new AbortController().signal, request)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(request).toHaveBeenCalledOnce()
  })

  test('is not retried after the download is cancelled', async () => {
    const controller = new AbortController()
    const request = vi.fn(() => Promise.reject(offline()))
    const outcome = withRetry(controller.signal, request).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(500)
    controller.abort(new Error('cancelled'))
    expect(await outcome).toMatchObject({ message: 'cancelled' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(request).toHaveBeenCalledOnce()
  })
})

test('SAFE-05 all pages of a table are read, each after the last row of the previous page', async () => {
  const rows = Array.from(
    { length: 5 },
    (_, index): Row => ({ id: `row ${index}`, created_at: `time ${index}` }),
  )
  const cursors: unknown[] = []
  const counts: number[] = []
  const all = await readAll(
    {
      signal: new AbortController().signal,
      size: 2,
      load: async (after, size) => {
        cursors.push(after)
        const from = rows.findIndex(({ id }) => id === after?.id) + 1
        return rows.slice(from, from + size)
      },
    },
    (count) => counts.push(count),
  )
  expect(all).toEqual(rows)
  expect(cursors).toEqual([null, { createdAt: 'time 1', id: 'row 1' }, { createdAt: 'time 3', id: 'row 3' }])
  expect(counts).toEqual([2, 4, 5])
})

test('SAFE-05 a server that sends new rows for ever makes the download fail, instead of filling the memory', async () => {
  let requests = 0
  const load = async (_after: unknown, size: number) => {
    requests += 1
    return Array.from({ length: size }, (_, row): Row => ({ id: `${requests} ${row}`, created_at: 'time' }))
  }
  const all = readAll({ signal: new AbortController().signal, size: 1_000, load })
  await expect(all).rejects.toMatchObject({ name: 'AppError', code: 'server' })
  expect(requests).toBe(ROWS_MOST / 1_000)
})
