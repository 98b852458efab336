import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerSavedPictures } from '#/renderer/app/save-picture'
import { createUrl, releaseUrl } from '#/renderer/lib/browser/object-url-store'
import { creditOf } from '#/renderer/lib/content/picture-credit'
import { logFailure } from '#/renderer/lib/core/logger'
import type { SavedPicture } from '#/shared/bridge'
import { REFUSED, refusingDesktop } from '../refusing-desktop'

const PHOTO = 'https://photos.example/sea.webp'
let images: { currentSrc: string; dataset: Record<string, string> }[]

beforeEach(() => {
  const { 'data-author': author, 'data-created-at': createdAt } = creditOf('ana', '2026-11-26T12:00:00Z')
  images = [
    { currentSrc: 'https://photos.example/other.webp', dataset: {} },
    { currentSrc: PHOTO, dataset: { author, createdAt } },
  ]
  vi.stubGlobal('document', { images })
})
afterEach(() => vi.unstubAllGlobals())

/** The page's answer to the host. */
async function answerTo(url: string): Promise<SavedPicture> {
  const answers: SavedPicture[] = []
  answerSavedPictures({
    ...refusingDesktop.files,
    onPictureAsked: (listener) => {
      listener(url)
      return () => undefined
    },
    savePicture: async (picture) => void answers.push(picture),
  })
  return vi.waitFor(() => {
    const [answer] = answers
    if (answer === undefined) throw new Error('not yet answered')
    return answer
  })
}

test('DESK-12 the page names author and day of the picture that the member saves', async () => {
  expect(await answerTo(PHOTO)).toEqual({ author: 'ana', date: '2026-11-26', bytes: null })
})

test('DESK-12 a picture that the page no longer shows is saved without a name', async () => {
  images.length = 0
  expect(await answerTo(PHOTO)).toEqual({ author: null, date: null, bytes: null })
})

test('DESK-12 the page sends what is behind a preview, until it is released', async () => {
  const url = createUrl(new Blob(['picture']))
  expect((await answerTo(url)).bytes).toEqual(new TextEncoder().encode('picture'))
  releaseUrl(url)
  expect((await answerTo(url)).bytes).toBeNull()
})

test('DESK-12 logs an answer that the host refuses', async () => {
  answerSavedPictures({
    ...refusingDesktop.files,
    onPictureAsked: (listener) => {
      listener(PHOTO)
      return () => undefined
    },
  })
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledWith('save picture', REFUSED))
})
