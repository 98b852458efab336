import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { responseLimit, timedFetch, timeoutsFor, VALUES_MAX } from '#/renderer/lib/server/timed-fetch'
import { MEDIA_LIMITS } from '#/shared/limits'

const REST = 'http://127.0.0.1:1/rest/v1/messages'

/** A request that ends when the test says so, or when it is aborted. */
let answer: (response: Response) => void
let request: AbortSignal | null | undefined
/** The addresses of all requests, by which one of another file of this worker shows. */
let addresses: string[]
const onDoubt = vi.fn()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onDoubt.mockReset()
  addresses = []
  vi.stubGlobal(
    'fetch',
    (input: unknown, init?: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        addresses.push(String(input))
        answer = resolve
        request = init?.signal
        request?.addEventListener('abort', () => reject(init?.signal?.reason))
      }),
  )
})

afterEach(() => {
  expect(vi.getTimerCount(), `timers left behind by requests to ${addresses}`).toBe(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a request without a response reports doubt after three seconds and fails after ten', async () => {
  const failed = expect(timedFetch(onDoubt)(REST)).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(2_999)
  expect(onDoubt).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onDoubt).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(7_000)
  await failed
  expect(onDoubt).toHaveBeenCalledTimes(1)
})

test('a response in time is returned as it is, so that Chromium reads its body, and causes no doubt', async () => {
  const answered = timedFetch(onDoubt)(REST)
  const response = new Response('[]', { status: 206 })
  answer(response)
  expect(await answered).toBe(response)
  expect(await response.json()).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onDoubt).not.toHaveBeenCalled()
})

test('an aborted request fails immediately', async () => {
  const wanted = new AbortController()
  const failed = expect(timedFetch(onDoubt)(REST, { signal: wanted.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
  wanted.abort()
  await failed
})

test.each([
  ['a read', REST, undefined, 3_000, 10_000],
  ['a photo of 2 million characters', REST, 'x'.repeat(2_000_000), 23_000, 30_000],
  ['a new token', 'http://127.0.0.1:1/auth/v1/token?grant_type=refresh_token', '{}', 3_000, 10_000],
  ['a code by mail', 'http://127.0.0.1:1/auth/v1/recover', '{}', 3_000, 30_000],
])('%s has the time it needs', (_what, address, body, doubt, end) => {
  expect(timeoutsFor(address, body)).toEqual({ doubt, end })
})

describe('a response that has started', () => {
  /** A body whose chunks the test sends. */
  async function begin(signal?: AbortSignal) {
    let more: (part: string) => void = () => undefined
    let close = (): void => undefined
    vi.stubGlobal('fetch', async (_input: unknown, init?: RequestInit) => {
      request = init?.signal
      return new Response(
        new ReadableStream({
          start: (controller) => {
            more = (part) => controller.enqueue(new TextEncoder().encode(part))
            close = () => controller.close()
            request?.addEventListener('abort', () => controller.error(request?.reason))
          },
        }),
      )
    })
    const response = await timedFetch(onDoubt)(REST, signal ? { signal } : {})
    return { response, more, close }
  }

  test('may take any time while data arrives', async () => {
    const { response, more, close } = await begin()
    const text = response.text()
    for (let minutes = 0; minutes < 10; minutes += 1) {
      await vi.advanceTimersByTimeAsync(29_000)
      more('x')
      await vi.advanceTimersByTimeAsync(0)
    }
    close()
    expect(await text).toBe('xxxxxxxxxx')
    expect(onDoubt).not.toHaveBeenCalled()
  })

  test('fails when its data stop arriving', async () => {
    const { response, more } = await begin()
    const failed = expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' })
    await vi.advanceTimersByTimeAsync(20_000)
    more('x')
    await vi.advanceTimersByTimeAsync(30_000)
    await failed
  })

  test('ends immediately when it is aborted, and a response without a body stays without a body', async () => {
    const wanted = new AbortController()
    const { response } = await begin(wanted.signal)
    const failed = expect(response.text()).rejects.toMatchObject({ name: 'AbortError' })
    wanted.abort()
    await failed
    await vi.advanceTimersByTimeAsync(30_000)

    const none = new Response(null, { status: 204 })
    vi.stubGlobal('fetch', async () => none)
    expect(await timedFetch(onDoubt)(REST)).toBe(none)
  })
})

describe('a large response', () => {
  const PART = new Uint8Array(500_000)

  /** A body that a server fills as long as it is read, up to this size, and that ends with the request. */
  function largeBody(bytes = Number.POSITIVE_INFINITY, part = PART) {
    const sent = { bytes: 0, hasEnded: false }
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        request?.addEventListener('abort', () => {
          sent.hasEnded = true
          controller.error(request?.reason)
        })
      },
      pull: (controller) => {
        sent.bytes += part.byteLength
        controller.enqueue(part)
        if (sent.bytes < bytes) return
        sent.hasEnded = true
        controller.close()
      },
    })
    return { body, sent }
  }

  test('is received to its end if nobody reads it, because Chromium keeps its connection until then', async () => {
    const answered = timedFetch(onDoubt)(REST)
    const { body, sent } = largeBody(10_000_000)
    answer(new Response(body))
    await answered
    await vi.waitFor(() => expect(sent).toEqual({ bytes: 10_000_000, hasEnded: true }))
  })

  test.each([
    ['rows', REST, 32_000_000],
    ['an error', REST, 1_000_000, 500],
    ['links to objects', 'http://127.0.0.1:1/storage/v1/object/sign/media', 32_000_000],
    ['an object', 'http://127.0.0.1:1/storage/v1/object/sign/media/ada/1.mp4?token=t', 200_000_000],
    [
      'an error of an object',
      'http://127.0.0.1:1/storage/v1/object/sign/media/ada/1.mp4?token=t',
      1_000_000,
      400,
    ],
    ['a session', 'http://127.0.0.1:1/auth/v1/token?grant_type=password', 1_000_000],
  ])(
    'that never ends is ended at the limit for %s, and its request with it',
    async (_, address, limit, status = 200) => {
      expect(responseLimit(address, status < 300)).toBe(limit)
      const answered = timedFetch(onDoubt)(address)
      const { body, sent } = largeBody()
      answer(new Response(body, { status }))
      await expect(answered.then((response) => response.text())).rejects.toThrow('the response is too large')
      expect(sent.hasEnded).toBe(true)
      // What the streams between buffer is little.
      expect(sent.bytes).toBeLessThan(limit + 4 * PART.byteLength)
    },
  )

  test('of many values is ended before they are parsed; in texts they are none', async () => {
    for (const [address, status] of [
      [REST, 200],
      ['http://127.0.0.1:1/storage/v1/object/sign/media/ada/1.mp4?token=t', 400],
    ] as const) {
      const answered = timedFetch(onDoubt)(address)
      const part = new TextEncoder().encode('{},'.repeat(30_000))
      const { body, sent } = largeBody(Number.POSITIVE_INFINITY, part)
      answer(new Response(body, { status }))
      await expect(answered.then((response) => response.text())).rejects.toThrow('the response is too large')
      expect(sent.bytes).toBeLessThan(3 * VALUES_MAX)
    }
    const texts = JSON.stringify(Array.from({ length: 60 }, () => '{[,'.repeat(1_300)))
    const read = timedFetch(onDoubt)(REST)
    answer(new Response(texts))
    expect((await (await read).text()).length).toBe(texts.length)
  })

  test('of an error is counted to its end before anybody can parse it', async () => {
    let isAnswered = false
    const answered = timedFetch(onDoubt)(REST).then((response) => {
      isAnswered = true
      return response
    })
    let close = (): void => undefined
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"code":"1"'))
        close = () => {
          controller.enqueue(new TextEncoder().encode('}'))
          controller.close()
        }
      },
    })
    answer(new Response(body, { status: 400 }))
    await vi.advanceTimersByTimeAsync(1)
    expect(isAnswered).toBe(false)
    close()
    expect(await (await answered).json()).toEqual({ code: '1' })
    const tooLong = timedFetch(onDoubt)(REST)
    answer(new Response(largeBody().body, { status: 500 }))
    await expect(tooLong).rejects.toThrow('the response is too large')
  })

  test('a row with the largest inline video is read', async () => {
    const row = JSON.stringify([
      { media_url: 'A'.repeat(MEDIA_LIMITS.video.characters), content: 'x'.repeat(8_000) },
    ])
    const answered = timedFetch(onDoubt)(REST)
    answer(new Response(row))
    expect((await (await answered).text()).length).toBe(row.length)
  })
})
