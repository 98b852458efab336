import { useQueryClient } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { postKeys } from '#/renderer/features/post/keys'
import { openPictureInPicture } from '#/renderer/features/post/video/picture-in-picture'
import { keptTime, usePlaying } from '#/renderer/features/post/video/playing-store'
import { useMuted } from '#/renderer/lib/browser/sound-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { showHook } from '#tests/renderer/dom'

const LINK = { path: 'author/video.mp4', url: 'http://localhost/video.mp4', isChecked: true }
const VIDEO = { me: 'ada', postId: 'post', link: LINK, hasSound: true }

/** Opens the window, as far as a document without media has one. */
function open(request: () => Promise<unknown>, hasSound = true) {
  const client = showHook(useQueryClient).result.current
  const element = document.createElement('video')
  Object.assign(element, { requestPictureInPicture: request, load: () => undefined })
  const create = vi.spyOn(document, 'createElement').mockReturnValueOnce(element as never)
  client.setQueryData(postKeys.post(VIDEO.postId), { id: VIDEO.postId })
  const from = Object.assign(new EventTarget(), { currentTime: 12, playbackRate: 1.5, muted: true })
  const opened = openPictureInPicture(client, {
    ...VIDEO,
    hasSound,
    from: from as unknown as HTMLVideoElement,
  })
  element.dispatchEvent(new Event('loadedmetadata'))
  const close = vi.fn(async () => {
    element.dispatchEvent(new Event('leavepictureinpicture'))
  })
  Object.assign(document, { pictureInPictureElement: element, exitPictureInPicture: close })
  onTestFinished(() => {
    create.mockRestore()
    Reflect.deleteProperty(document, 'pictureInPictureElement')
  })
  return { opened, element, client, close }
}

const load = vi.hoisted(() => vi.fn(async (): Promise<object | null> => ({ id: 'post' })))
vi.mock('#/renderer/features/post/queries', () => ({
  postOptions: (_client: unknown, _me: string, id: string) => ({ queryKey: ['post', id], queryFn: load }),
}))

describe('FEED-14 a video in a window of its own', () => {
  beforeEach(() => vi.mocked(logFailure).mockClear())

  test('goes on at its time, and ends when its post is deleted', async () => {
    const { opened, element, client, close } = open(async () => undefined)
    await opened
    expect(element).toMatchObject({ currentTime: 12, playbackRate: 1.5, muted: true })
    expect(usePlaying.getState().inPicture).toBe(LINK.path)
    expect(close).not.toHaveBeenCalled()
    client.setQueryData(postKeys.post(VIDEO.postId), null)
    await vi.waitFor(() => expect(close).toHaveBeenCalledOnce())
    expect(usePlaying.getState().inPicture).toBeNull()
    expect(element.hasAttribute('src')).toBe(false)
    expect(keptTime(LINK.path)).toBe(12)
  })

  test('ends when the server no longer shows its post, which it is asked twice a minute, also from behind other windows', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { opened, close } = open(async () => undefined)
    await opened
    await vi.advanceTimersByTimeAsync(30_000)
    expect(load).toHaveBeenCalledOnce()
    expect(close).not.toHaveBeenCalled()
    load.mockResolvedValue(null)
    onTestFinished(() => void load.mockResolvedValue({ id: 'post' }))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(close).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(load).toHaveBeenCalledTimes(2)
  })

  test('has sound as the member chooses, unless its author says that it has none', async () => {
    const { result } = showHook(useMuted)
    const toggle = () => act(() => result.current[1]())
    onTestFinished(toggle)
    toggle()
    for (const hasSound of [true, false]) {
      const { opened, element, close } = open(async () => undefined, hasSound)
      await opened
      expect(element.muted).toBe(!hasSound)
      await close()
    }
  })

  test('ends with the session', async () => {
    const { opened, close } = open(async () => undefined)
    await opened
    setSessionStatus({ status: 'ended', member: null })
    expect(close).toHaveBeenCalledOnce()
    setSessionStatus({ status: 'confirmed', member: null })
  })

  test('that the system refuses stays on the page', async () => {
    const refusal = new Error('refused')
    const { opened, element } = open(() => Promise.reject(refusal))
    await opened
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('picture in picture', refusal)
    expect(usePlaying.getState().inPicture).toBeNull()
    expect(element.hasAttribute('src')).toBe(false)
  })
})
