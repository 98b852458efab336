import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { forgetMember } from '#/renderer/lib/disk-cache/forget-member'
import { type ObjectUse, readChecked } from '#/renderer/lib/media-store/check-object'
import { forgetObjects } from '#/renderer/lib/media-store/kept-objects'
import { linksOf } from '#/renderer/lib/media-store/links'
import { objectOptions } from '#/renderer/lib/media-store/object-queries'
import { openLink, signPaths } from '#/renderer/lib/media-store/requests'
import { createQueryClient, isTransient } from '#/renderer/lib/queries/query-client'
import { h264Mp4, mp4, sequence, track } from '#tests/mp4-files'
import { animatedPng, png } from '#tests/picture-files'

const clock = vi.hoisted(() => ({ now: 0 }))

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/lib/core/clock-store', () => ({ serverNow: () => clock.now }))
vi.mock('#/renderer/lib/media-store/requests', () => ({ openLink: vi.fn(), signPaths: vi.fn() }))
vi.mock('#/shared/limits', async (load) => ({
  ...(await load<typeof import('#/shared/limits')>()),
  CHECKED_OBJECTS: { bytes: 1_000, count: 5 },
}))

const STILL = png({ width: 8, height: 8 })
const files = new Map<string, () => Response>()
const hidden = new Set<string>()
/** Object URLs that are not revoked. */
const urls = new Set<string>()

let client: QueryClient
let signed = 0

beforeEach(() => {
  clock.now = Date.parse('2026-11-26T12:00:00Z')
  client = createQueryClient()
  for (const set of [files, hidden, urls]) set.clear()
  signed = 0
  vi.mocked(signPaths).mockReset()
  vi.mocked(signPaths).mockImplementation(async (paths) => {
    signed += 1
    const links = paths.flatMap((path) =>
      hidden.has(path)
        ? []
        : [[path, { url: `https://server.example/${path}?${signed}`, isChecked: false }] as const],
    )
    return new Map(links)
  })
  vi.mocked(openLink).mockReset()
  vi.mocked(openLink).mockImplementation(async (url) => {
    const file = files.get(new URL(url).pathname.slice(1))
    return file === undefined ? new Response(STILL) : file()
  })
  let made = 0
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    made += 1
    urls.add(`blob:${made}`)
    return `blob:${made}`
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void urls.delete(url))
})

afterEach(() => vi.restoreAllMocks())

const optionsOf = (path: string, use: ObjectUse = 'full', until?: string) =>
  objectOptions(client, { path, use }, until)

/** Shows a picture, like a component, until the returned function is called. */
async function show(path: string, until?: string) {
  const observer = new QueryObserver(client, optionsOf(path, 'full', until))
  const leave = observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(observer.getCurrentResult().fetchStatus).toBe('idle'))
  return { leave, result: observer.getCurrentResult() }
}

async function look(path: string, until?: string) {
  const { leave, result } = await show(path, until)
  leave()
  return result
}

describe('MEDIA-07 what the server has not checked', () => {
  test('is read once by its path, also after a new link', async () => {
    const first = await show('ada/1.png')
    const second = await show('ada/1.png')
    first.leave()
    second.leave()
    linksOf(client).forget('ada/1.png')
    expect(await linksOf(client).sign('ada/1.png')).toMatchObject({
      url: 'https://server.example/ada/1.png?2',
    })
    expect((await look('ada/1.png')).data).toEqual({ url: 'blob:1', bytes: STILL.length, until: null })
    expect(openLink).toHaveBeenCalledOnce()
    expect([...urls]).toEqual(['blob:1'])
  })

  test('is refused once and for all if it must not be shown', async () => {
    files.set('ada/1.png', () => new Response(animatedPng({ width: 8, height: 8 })))
    expect((await look('ada/1.png')).data).toBeNull()
    expect((await look('ada/1.png')).data).toBeNull()
    expect(openLink).toHaveBeenCalledOnce()
    expect(urls.size).toBe(0)
  })

  test('is checked for each use', async () => {
    files.set('ada/1.png', () => new Response(png({ width: 1_025, height: 1_024 })))
    expect(await client.fetchQuery(optionsOf('ada/1.png'))).not.toBeNull()
    expect(await client.fetchQuery(optionsOf('ada/1.png', 'avatar'))).toBeNull()
  })

  test('is read again from a new link if the link does not work, and then given up', async () => {
    files.set('ada/1.png', () => {
      throw new AppError('server', '', 'storage 500')
    })
    const { error } = await look('ada/1.png')
    expect(error).toMatchObject({ code: 'refused' })
    expect(vi.mocked(openLink).mock.calls.map(([url]) => url)).toEqual([
      'https://server.example/ada/1.png?1',
      'https://server.example/ada/1.png?2',
    ])
    expect(isTransient(error)).toBe(false)
  })

  test('is retried while the connection is lost', async () => {
    let isLost = true
    files.set('ada/1.png', () => {
      if (isLost) throw new AppError('offline', '', '')
      return new Response(STILL)
    })
    const observer = new QueryObserver(client, optionsOf('ada/1.png'))
    const leave = observer.subscribe(() => undefined)
    await vi.waitFor(() => expect(observer.getCurrentResult().failureCount).toBe(1))
    isLost = false
    await vi.waitFor(() => expect(observer.getCurrentResult().data?.url).toBe('blob:1'))
    leave()
  })

  test('is aborted when nobody waits for it', async () => {
    let end = (): void => undefined
    files.set('ada/1.png', () => {
      files.delete('ada/1.png')
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(STILL)
          end = () => controller.close()
        },
      })
      return new Response(body)
    })
    const observer = new QueryObserver(client, optionsOf('ada/1.png'))
    const leave = observer.subscribe(() => undefined)
    await vi.waitFor(() => expect(openLink).toHaveBeenCalled())
    expect(vi.mocked(openLink).mock.lastCall?.[1]?.signal?.aborted).toBe(false)
    leave()
    expect(vi.mocked(openLink).mock.lastCall?.[1]?.signal?.aborted).toBe(true)
    end()
    expect((await look('ada/1.png')).data?.url).toBe('blob:1')
    expect([...urls]).toEqual(['blob:1'])
  })

  test('the page goes on while a large video is checked', async () => {
    const picture = Buffer.alloc(900_000, 0x41)
    files.set('ada/1.mp4', () => new Response(h264Mp4({ samples: [[picture], [picture], [picture]] })))
    const tasks = vi.spyOn(globalThis, 'setTimeout')
    const video = await readChecked('https://server.example/ada/1.mp4', 'ada/1.mp4', 'video')
    expect(video).not.toBeNull()
    expect(tasks).toHaveBeenCalledTimes(3)
  })

  test('of a video all pictures are checked, and what is shown is the file that was checked', async () => {
    const [small, large] = [sequence(20, 15), sequence(750, 750)]
    const videos = {
      'ada/1.mp4': h264Mp4({ samples: [[small], [Buffer.of(0x41)]] }),
      'ada/2.mp4': h264Mp4({ samples: [[small], [large]] }),
      'ada/3.mp4': mp4([track({ samples: 170_000_000 })]),
      'ada/4.mp4': Buffer.from('<html>'),
    }
    const shown: unknown[] = []
    for (const [path, video] of Object.entries(videos)) {
      files.set(path, () => new Response(video))
      shown.push(await client.fetchQuery(optionsOf(path, 'video')))
    }
    const bytes = videos['ada/1.mp4'].length
    expect(shown).toEqual([{ url: 'blob:1', bytes, until: null }, null, null, null])
    expect(vi.mocked(URL.createObjectURL).mock.lastCall?.[0]).toMatchObject({
      type: 'video/mp4',
      size: bytes,
    })
    await client.fetchQuery(optionsOf('ada/1.mp4', 'video'))
    expect(openLink).toHaveBeenCalledTimes(4)
  })
})

describe('MEDIA-07 what is kept of it', () => {
  test('is limited in number: the least recently shown goes, never one on screen', async () => {
    const { leave } = await show('ada/0.png')
    for (const name of [1, 2, 3, 4]) await look(`ada/${name}.png`)
    await look('ada/1.png')
    await look('ada/5.png')
    expect([...urls]).toEqual(['blob:1', 'blob:2', 'blob:4', 'blob:5', 'blob:6'])
    leave()
  })

  test('is limited in bytes', async () => {
    await look('ada/1.png')
    for (const name of ['2', '3']) {
      const { queryKey } = optionsOf(`ada/${name}.png`)
      client.setQueryData(queryKey, { url: `blob:large-${name}`, bytes: 600, until: null })
    }
    expect(urls.size).toBe(0)
    expect(client.getQueryData(optionsOf('ada/2.png').queryKey)).toBeUndefined()
    expect(client.getQueryData(optionsOf('ada/3.png').queryKey)).toBeDefined()
  })

  test('goes when the member leaves', async () => {
    const { leave } = await show('ada/1.png')
    await look('ben/2.png')
    forgetObjects(client)
    expect(urls.size).toBe(0)
    leave()
  })

  test('goes when the server signs no link any more', async () => {
    await look('ada/1.png')
    await look('ada/2.png')
    hidden.add('ada/1.png')
    linksOf(client).forget('ada/1.png')
    expect(await linksOf(client).sign('ada/1.png')).toBeNull()
    expect([...urls]).toEqual(['blob:2'])
  })

  test('goes with the member whose rows are no longer shown', async () => {
    await look('ada/1.png')
    await look('ben/2.png')
    await forgetMember(client, { id: 'ben', username: 'ben' })
    expect([...urls]).toEqual(['blob:1'])
  })

  test('of a story that never ends sets no timer that fires at once', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await look('ada/1.png', '9999-12-31T00:00:00Z')
    expect([...urls]).toEqual(['blob:1'])
    expect(Math.max(...timers.mock.calls.map(([, delay = 0]) => delay))).toBe(24 * 3_600_000)
  })

  test('of a story goes when it expires and is not on screen', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const until = new Date(clock.now + 3_600_000).toISOString()
    await look('ada/1.png')
    const { leave } = await show('ada/2.png', until)
    await look('ada/3.png', until)
    expect([...urls]).toEqual(['blob:1', 'blob:2', 'blob:3'])
    const timer = timers.mock.calls.findLast(([, delay]) => delay === 3_600_000)
    clock.now += 3_600_000
    timer?.[0]()
    expect([...urls]).toEqual(['blob:1', 'blob:2'])
    leave()
    expect([...urls]).toEqual(['blob:1'])
  })
})
