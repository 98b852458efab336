import { beforeEach, describe, expect, test } from 'vitest'
import { PictureQueue } from '#/renderer/lib/media/picture-queue'
import type { PictureAnswer, PictureRequest, PreparedPicture } from '#/renderer/lib/media/protocol'

const PICTURE: PreparedPicture = {
  dataUrl: 'data:image/webp;base64,AA==',
  thumbnailUrl: 'data:image/webp;base64,AA==',
  width: 3,
  height: 2,
}

/** A worker that keeps what it is asked and says what the test has it say. */
class FakeWorker extends EventTarget {
  readonly asked: PictureRequest[] = []
  isTerminated = false

  postMessage(request: PictureRequest): void {
    if (this.isTerminated) throw new Error('asked after its end')
    this.asked.push(request)
  }

  terminate(): void {
    this.isTerminated = true
  }

  say(answer: PictureAnswer): void {
    this.dispatchEvent(new MessageEvent('message', { data: answer }))
  }

  finish(request: PictureRequest | undefined): void {
    if (request === undefined) throw new Error('nothing was asked')
    this.say({ id: request.id, type: 'done', picture: PICTURE })
  }
}

let workers: FakeWorker[]
let queue: PictureQueue

const worker = (index: number): FakeWorker => {
  const found = workers[index]
  if (found === undefined) throw new Error(`worker ${index} was not started`)
  return found
}

beforeEach(() => {
  workers = []
  queue = new PictureQueue(() => {
    const started = new FakeWorker()
    workers.push(started)
    return started as unknown as Worker
  })
})

describe('the picture worker', () => {
  test('is started when first needed and used again', async () => {
    expect(workers).toHaveLength(0)
    for (const round of [0, 1]) {
      const prepared = queue.prepare(new Blob(['photo']))
      worker(0).finish(worker(0).asked[round])
      await expect(prepared).resolves.toEqual(PICTURE)
    }
    expect(workers).toHaveLength(1)
  })

  test('has one picture at a time, in order', async () => {
    const first = queue.prepare(new Blob(['1']))
    const second = queue.prepare(new Blob(['22']))
    expect(worker(0).asked.map(({ source }) => source.size)).toEqual([1])
    worker(0).finish(worker(0).asked[0])
    await first
    expect(worker(0).asked.map(({ source }) => source.size)).toEqual([1, 2])
    worker(0).finish(worker(0).asked[1])
    await expect(second).resolves.toEqual(PICTURE)
  })

  test('tells its progress', async () => {
    const heard: number[] = []
    const prepared = queue.prepare(new Blob(['photo']), { onProgress: (fraction) => heard.push(fraction) })
    const id = worker(0).asked[0]?.id ?? 0
    worker(0).say({ id, type: 'progress', fraction: 0.1 })
    worker(0).say({ id, type: 'progress', fraction: 0.6 })
    worker(0).finish(worker(0).asked[0])
    await prepared
    expect(heard).toEqual([0.1, 0.6])
  })

  test('EDIT-02 crops a profile picture to the square it is told', async () => {
    const square = { left: 0.1, top: 0, side: 0.5 }
    const cropped = queue.crop(new Blob(['photo']), square)
    const { id = 0, crop } = worker(0).asked[0] ?? {}
    expect(crop).toEqual(square)
    worker(0).say({ id, type: 'cropped', dataUrl: PICTURE.dataUrl })
    await expect(cropped).resolves.toBe(PICTURE.dataUrl)
  })

  test('EDIT-02 refuses a profile picture with a code', async () => {
    const cropped = queue.crop(new Blob(['notes']), { left: 0, top: 0, side: 1 })
    worker(0).say({ id: worker(0).asked[0]?.id ?? 0, type: 'refused', code: 'broken' })
    await expect(cropped).rejects.toMatchObject({ name: 'MediaError', code: 'broken' })
  })

  test('refuses with a code and goes on', async () => {
    const prepared = queue.prepare(new Blob(['notes']))
    worker(0).say({ id: worker(0).asked[0]?.id ?? 0, type: 'refused', code: 'not-a-picture' })
    await expect(prepared).rejects.toMatchObject({ name: 'MediaError', code: 'not-a-picture' })
    const next = queue.prepare(new Blob(['photo']))
    worker(0).finish(worker(0).asked[1])
    await expect(next).resolves.toEqual(PICTURE)
  })

  test('cancelled at work: it ends at once, and the next picture has a new worker', async () => {
    const controller = new AbortController()
    const cancelled = queue.prepare(new Blob(['1']), { signal: controller.signal })
    const next = queue.prepare(new Blob(['22']))
    controller.abort()
    expect(worker(0).isTerminated).toBe(true)
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    worker(1).finish(worker(1).asked[0])
    await expect(next).resolves.toEqual(PICTURE)
  })

  test('cancelled while waiting: the one at work is not disturbed', async () => {
    const controller = new AbortController()
    const first = queue.prepare(new Blob(['1']))
    const cancelled = queue.prepare(new Blob(['22']), { signal: controller.signal })
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    worker(0).finish(worker(0).asked[0])
    await expect(first).resolves.toEqual(PICTURE)
    expect(worker(0).asked).toHaveLength(1)
    expect(worker(0).isTerminated).toBe(false)
  })

  test('cancelled before it began: no worker is started', async () => {
    await expect(queue.prepare(new Blob(['1']), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(workers).toHaveLength(0)
  })

  test('cancelled when done: nothing happens', async () => {
    const controller = new AbortController()
    const prepared = queue.prepare(new Blob(['1']), { signal: controller.signal })
    worker(0).finish(worker(0).asked[0])
    await prepared
    controller.abort()
    expect(worker(0).isTerminated).toBe(false)
  })

  test.each(['error', 'messageerror'])(
    'dead by %s: its picture fails, the next has a new worker',
    async (type) => {
      const failed = queue.prepare(new Blob(['1']))
      const next = queue.prepare(new Blob(['22']))
      worker(0).dispatchEvent(new Event(type))
      await expect(failed).rejects.toMatchObject({ name: 'MediaError', code: 'failed' })
      expect(worker(0).isTerminated).toBe(true)
      worker(1).finish(worker(1).asked[0])
      await expect(next).resolves.toEqual(PICTURE)
    },
  )

  test('an error of a worker that was stopped long ago does not reach the next one', async () => {
    const controller = new AbortController()
    const cancelled = queue.prepare(new Blob(['1']), { signal: controller.signal })
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    const next = queue.prepare(new Blob(['22']))
    worker(0).dispatchEvent(new Event('error'))
    expect(worker(1).isTerminated).toBe(false)
    worker(1).finish(worker(1).asked[0])
    await expect(next).resolves.toEqual(PICTURE)
  })

  test('that cannot be started fails its picture, and the next try starts one', async () => {
    let isBlocked = true
    const blocked = new PictureQueue(() => {
      if (isBlocked) throw new Error('blocked')
      const started = new FakeWorker()
      workers.push(started)
      return started as unknown as Worker
    })
    await expect(blocked.prepare(new Blob(['1']))).rejects.toMatchObject({ code: 'failed' })
    isBlocked = false
    const next = blocked.prepare(new Blob(['1']))
    worker(0).finish(worker(0).asked[0])
    await expect(next).resolves.toEqual(PICTURE)
  })
})
