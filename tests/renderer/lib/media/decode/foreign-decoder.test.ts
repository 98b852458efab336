import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DecoderAnswer } from '#/renderer/lib/media/decode/foreign-decoder-store'
import { texts } from '#/renderer/lib/texts'

/** A worker that answers when a test says so. */
class FakeWorker extends EventTarget {
  static started: FakeWorker[] = []
  readonly requests: unknown[] = []
  isTerminated = false

  constructor() {
    super()
    FakeWorker.started.push(this)
  }

  postMessage(request: unknown): void {
    this.requests.push(request)
  }

  terminate(): void {
    this.isTerminated = true
  }

  answer(answer: DecoderAnswer): void {
    this.dispatchEvent(new MessageEvent('message', { data: answer }))
  }
}

const SOURCE = new Blob(['photo'])
const DECODED: DecoderAnswer = {
  type: 'decoded',
  image: { width: 2, height: 1 } as ImageBitmap,
  size: { width: 2, height: 1 },
}

let decoder: typeof import('#/renderer/lib/media/decode/foreign-decoder-store')
beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('Worker', FakeWorker)
  FakeWorker.started = []
  decoder = await import('#/renderer/lib/media/decode/foreign-decoder-store')
})
afterEach(() => {
  // Ends the worker of the test, which would be used by the next one.
  vi.runAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const last = () => FakeWorker.started.at(-1) as FakeWorker

describe('CREATE-11 the decoder of HEIC and TIFF', () => {
  test('ends with each photo: the next one does not find its memory', async () => {
    const first = decoder.decodeForeign(SOURCE, 'heic')
    last().answer(DECODED)
    expect(await first).toMatchObject({ size: { width: 2, height: 1 } })
    expect(last().isTerminated).toBe(true)
    const second = decoder.decodeForeign(SOURCE, 'tiff')
    expect(FakeWorker.started).toHaveLength(2)
    last().answer(DECODED)
    await second
    expect(last().isTerminated).toBe(true)
  })

  test('waits after a smaller version for the photo, and ends after a pause', async () => {
    const preview = decoder.decodeHeicPreview(SOURCE)
    last().answer(DECODED)
    await preview
    const photo = decoder.decodeForeign(SOURCE, 'heic')
    expect(FakeWorker.started).toHaveLength(1)
    expect(last().requests).toEqual([
      { source: SOURCE, kind: 'heic', isPreview: true },
      { source: SOURCE, kind: 'heic', isPreview: false },
    ])
    last().answer(DECODED)
    await photo
    const other = decoder.decodeHeicPreview(SOURCE)
    last().answer(DECODED)
    await other
    expect(last().isTerminated).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(last().isTerminated).toBe(true)
  })

  test('is stopped when a photo takes longer than three minutes, and the next one gets a new one', async () => {
    const slow = decoder.decodeForeign(SOURCE, 'heic')
    const refused = expect(slow).rejects.toMatchObject({ code: 'slow' })
    await vi.advanceTimersByTimeAsync(179_000)
    expect(last().isTerminated).toBe(false)
    await vi.advanceTimersByTimeAsync(2_000)
    await refused
    expect(last().isTerminated).toBe(true)
    expect(texts.media.slow).toContain('takes too long')

    const next = decoder.decodeForeign(SOURCE, 'heic')
    expect(FakeWorker.started).toHaveLength(2)
    last().answer(DECODED)
    await next
  })

  test('is stopped after a crash or a refusal, whose reason is kept', async () => {
    const crashed = decoder.decodeForeign(SOURCE, 'heic')
    last().dispatchEvent(new Event('error', { cancelable: true }))
    await expect(crashed).rejects.toMatchObject({ code: 'failed' })
    expect(last().isTerminated).toBe(true)

    const refused = decoder.decodeForeign(SOURCE, 'tiff')
    last().answer({ type: 'refused', code: 'unsupported' })
    await expect(refused).rejects.toMatchObject({ code: 'unsupported' })
    expect(last().isTerminated).toBe(true)
  })

  test('returns null for a HEIC without a smaller version', async () => {
    const preview = decoder.decodeHeicPreview(SOURCE)
    expect(last().requests).toEqual([{ source: SOURCE, kind: 'heic', isPreview: true }])
    last().answer({ type: 'none' })
    expect(await preview).toBeNull()
  })
})
