import { expect, test } from 'vitest'
import {
  type PhotoPages,
  photosOf,
  withoutClearedPhotos,
  withPhotoMessage,
} from '#/renderer/features/messages/model/photos'
import { message } from '../messages'

const photo = (id: string, minute: number) => message(id, minute, { media_id: `photo ${id}` })

/** Two pages, and more on the server after minute 10. */
const END = { createdAt: photo('a', 10).created_at, id: 'a' }
const LOADED: PhotoPages = {
  pages: [
    {
      photos: [photo('d', 40), photo('c', 30)],
      next: { createdAt: photo('c', 30).created_at, id: 'c' },
    },
    { photos: [photo('b', 20), photo('a', 10)], next: END },
  ],
  pageParams: [null, null],
}

const ids = (data: PhotoPages) => photosOf(data).map(({ id }) => id)

test('FEED-21 a new photo is in front, once, without what else is in its message', () => {
  const data = withPhotoMessage(LOADED, photo('e', 50))
  expect(ids(data)).toEqual(['e', 'd', 'c', 'b', 'a'])
  expect(withPhotoMessage(data, photo('e', 50))).toBe(data)
  expect(photosOf(data)[0]).not.toHaveProperty('content')
})

test('FEED-21 a photo that arrives late is at its time', () => {
  expect(ids(withPhotoMessage(LOADED, photo('late', 25)))).toEqual(['d', 'c', 'late', 'b', 'a'])
})

test('FEED-21 a change of an older photo waits for its page, and the last page has none', () => {
  expect(withPhotoMessage(LOADED, photo('old', 5))).toBe(LOADED)
  const whole = { ...LOADED, pages: LOADED.pages.map((page) => ({ ...page, next: undefined })) }
  expect(ids(withPhotoMessage(whole, photo('old', 5)))).toEqual(['d', 'c', 'b', 'a', 'old'])
})

test('FEED-21 an unsent photo leaves, whatever page it is in; other messages change nothing', () => {
  const unsent = message('b', 20, { deleted_at: photo('x', 60).created_at })
  expect(ids(withPhotoMessage(LOADED, unsent))).toEqual(['d', 'c', 'a'])
  expect(withPhotoMessage(LOADED, message('text', 50))).toBe(LOADED)
})

test('MSG-15 the photos of a deleted conversation leave up to that time, and no page follows', () => {
  const data = withoutClearedPhotos(LOADED, photo('x', 30).created_at)
  expect(ids(data)).toEqual(['d'])
  expect(data.pages.map(({ next }) => next)).toEqual([undefined, undefined])
})

test('FEED-21 a photo in two pages is shown once', () => {
  const [first, second] = LOADED.pages
  if (first === undefined || second === undefined) throw new Error('no pages')
  const twice = { ...second, photos: [photo('c', 30), ...second.photos] }
  expect(ids({ ...LOADED, pages: [first, twice] })).toEqual(['d', 'c', 'b', 'a'])
})
