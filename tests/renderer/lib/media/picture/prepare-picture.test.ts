import { beforeEach, describe, expect, test } from 'vitest'
import { PictureQueue } from '#/renderer/lib/media/picture/picture-queue-store'
import type {
  PictureAnswer,
  PictureRequest,
  StoredPicture,
} from '#/renderer/lib/media/picture/picture-request'

const PICTURE: StoredPicture = {
  full: new Blob(['full']),
  feed: new Blob(['feed']),
  grid: new Blob(['grid']),
  thumbhash: 'aA==',
  width: 3,
  height: 2,
}

/** A worker that records its requests and sends the test's responses. */
class FakeWorker extends EventTarget {
  readonly requests: PictureRequest[] = []
  isTerminated = false

  postMessage(request: PictureRequest): void {
    if (this.isTerminated) throw new Error('request after terminate()')
    this.requests.push(request)
  }

  terminate(): void {
    this.isTerminated = true
  }

  respond(answer: PictureAnswer): void {
    this.dispatchEvent(new MessageEvent('message', { data: answer }))
  }

  finish(request: PictureRequest | undefined): void {
    if (request === undefined) throw new Error('no request was made')
    this.respond({ id: request.id, type: 'done', picture: PICTURE })
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

describe('PictureQueue', () => {
  test('starts one worker on first use and reuses it', async () => {
    expect(workers).toHaveLength(0)
    for (const round of [0, 1]) {
      const prepared = queue.prepare(new Blob(['photo']))
      worker(0).finish(worker(0).requests[round])
      await expect(prepared).resolves.toEqual(PICTURE)
    }
    expect(workers).toHaveLength(1)
  })

  test('sends one picture at a time, in order', async () => {
    const first = queue.prepare(new Blob(['1']))
    const second = queue.prepare(new Blob(['22']))
    expect(worker(0).requests.map(({ source }) => source.size)).toEqual([1])
    worker(0).finish(worker(0).requests[0])
    await first
    expect(worker(0).requests.map(({ source }) => source.size)).toEqual([1, 2])
    worker(0).finish(worker(0).requests[1])
    await expect(second).resolves.toEqual(PICTURE)
  })

  describe('CREATE-07 with two workers', () => {
    const [small, large] = [
      { width: 6000, height: 4000 },
      { width: 6001, height: 4000 },
    ]
    const prepare = (size: typeof small | undefined) => queue.prepare(new Blob([]), size && { size })
    /** Ends the job that a worker runs. */
    const finish = (index: number) => worker(index).finish(worker(index).requests.at(-1))
    const counts = () => workers.map(({ requests }) => requests.length)

    beforeEach(() => {
      queue = new PictureQueue(() => {
        const started = new FakeWorker()
        workers.push(started)
        return started as unknown as Worker
      }, 2)
    })

    test('two pictures of 24 megapixels are prepared at a time', async () => {
      const all = [prepare(small), prepare(small), prepare(small)]
      expect(counts()).toEqual([1, 1])
      finish(1)
      await all[1]
      expect(counts()).toEqual([1, 2])
      finish(0)
      finish(1)
      await Promise.all(all)
    })

    test.each([large, undefined])('a larger one, or one of unknown size, is prepared alone', async (size) => {
      const all = [prepare(small), prepare(size), prepare(small)]
      expect(counts()).toEqual([1])
      finish(0)
      await all[0]
      expect(counts()).toEqual([2])
      finish(0)
      await all[1]
      expect(counts()).toEqual([3])
      finish(0)
      await Promise.all(all)
    })

    test('a crash of one worker leaves the other alone', async () => {
      const [first, second] = [prepare(small), prepare(small)]
      worker(0).dispatchEvent(new Event('error'))
      await expect(first).rejects.toMatchObject({ code: 'failed' })
      expect(worker(1).isTerminated).toBe(false)
      finish(1)
      await expect(second).resolves.toEqual(PICTURE)
    })
  })

  test('reports progress', async () => {
    const reported: number[] = []
    const prepared = queue.prepare(new Blob(['photo']), {
      onProgress: (fraction) => reported.push(fraction),
    })
    const id = worker(0).requests[0]?.id ?? 0
    worker(0).respond({ id, type: 'progress', fraction: 0.1 })
    worker(0).respond({ id, type: 'progress', fraction: 0.6 })
    worker(0).finish(worker(0).requests[0])
    await prepared
    expect(reported).toEqual([0.1, 0.6])
  })

  test('EDIT-02 crops a profile picture to the given square', async () => {
    const square = { left: 0.1, top: 0, side: 0.5 }
    const cropped = queue.crop(new Blob(['photo']), square)
    const { id = 0, crop } = worker(0).requests[0] ?? {}
    expect(crop).toEqual(square)
    worker(0).respond({ id, type: 'cropped', avatar: PICTURE.grid })
    await expect(cropped).resolves.toBe(PICTURE.grid)
  })

  test('EDIT-02 rejects a refused profile picture with its code', async () => {
    const cropped = queue.crop(new Blob(['notes']), { left: 0, top: 0, side: 1 })
    worker(0).respond({ id: worker(0).requests[0]?.id ?? 0, type: 'refused', code: 'broken' })
    await expect(cropped).rejects.toMatchObject({ name: 'MediaError', code: 'broken' })
  })

  test('rejects a refused picture with its code and continues with the next', async () => {
    const prepared = queue.prepare(new Blob(['notes']))
    worker(0).respond({ id: worker(0).requests[0]?.id ?? 0, type: 'refused', code: 'not-a-picture' })
    await expect(prepared).rejects.toMatchObject({ name: 'MediaError', code: 'not-a-picture' })
    const next = queue.prepare(new Blob(['photo']))
    worker(0).finish(worker(0).requests[1])
    await expect(next).resolves.toEqual(PICTURE)
  })

  test('terminates the worker when its picture is cancelled, and starts a new one for the next', async () => {
    const controller = new AbortController()
    const cancelled = queue.prepare(new Blob(['1']), { signal: controller.signal })
    const next = queue.prepare(new Blob(['22']))
    controller.abort()
    expect(worker(0).isTerminated).toBe(true)
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    worker(1).finish(worker(1).requests[0])
    await expect(next).resolves.toEqual(PICTURE)
  })

  test('removes a cancelled picture from the queue without stopping the running one', async () => {
    const controller = new AbortController()
    const first = queue.prepare(new Blob(['1']))
    const cancelled = queue.prepare(new Blob(['22']), { signal: controller.signal })
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    worker(0).finish(worker(0).requests[0])
    await expect(first).resolves.toEqual(PICTURE)
    expect(worker(0).requests).toHaveLength(1)
    expect(worker(0).isTerminated).toBe(false)
  })

  test('starts no worker for a picture that is already cancelled', async () => {
    await expect(queue.prepare(new Blob(['1']), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(workers).toHaveLength(0)
  })

  test('ignores an abort after the picture is done', async () => {
    const controller = new AbortController()
    const prepared = queue.prepare(new Blob(['1']), { signal: controller.signal })
    worker(0).finish(worker(0).requests[0])
    await prepared
    controller.abort()
    expect(worker(0).isTerminated).toBe(false)
  })

  test.each(['error', 'messageerror'])(
    'fails the running picture on %s, and starts a new worker for the next',
    async (type) => {
      const failed = queue.prepare(new Blob(['1']))
      const next = queue.prepare(new Blob(['22']))
      worker(0).dispatchEvent(new Event(type))
      await expect(failed).rejects.toMatchObject({ name: 'MediaError', code: 'failed' })
      expect(worker(0).isTerminated).toBe(true)
      worker(1).finish(worker(1).requests[0])
      await expect(next).resolves.toEqual(PICTURE)
    },
  )

  test('ignores an error of a terminated worker', async () => {
    const controller = new AbortController()
    const cancelled = queue.prepare(new Blob(['1']), { signal: controller.signal })
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    const next = queue.prepare(new Blob(['22']))
    worker(0).dispatchEvent(new Event('error'))
    expect(worker(1).isTerminated).toBe(false)
    worker(1).finish(worker(1).requests[0])
    await expect(next).resolves.toEqual(PICTURE)
  })

  test('fails the picture if the worker cannot be started, and tries again for the next', async () => {
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
    worker(0).finish(worker(0).requests[0])
    await expect(next).resolves.toEqual(PICTURE)
  })
})
