import { describe, expect, test } from 'vitest'
import { filesFromClipboard, firstPicture } from '#/renderer/lib/browser/useDropAndPaste'

const photo = new File(['photo'], 'image.png', { type: 'image/png' })
const notes = new File(['notes'], 'notes.txt', { type: 'text/plain' })
const heic = new File(['heic'], 'IMG_0001.heic')

describe('CREATE-06 CREATE-07 filesFromClipboard', () => {
  test('returns copied pictures, in their order', () => {
    expect(filesFromClipboard({ types: ['Files'], files: [photo] })).toEqual([photo])
    expect(filesFromClipboard({ types: ['Files'], files: [heic, photo] })).toEqual([heic, photo])
  })

  test('returns a picture copied from a page together with its HTML', () => {
    expect(filesFromClipboard({ types: ['text/html', 'Files'], files: [photo] })).toEqual([photo])
  })

  test('returns a file copied in a file manager together with its name', () => {
    expect(filesFromClipboard({ types: ['text/plain', 'Files'], files: [photo] })).toEqual([photo])
  })

  test('returns nothing for formatted text that includes a picture of itself', () => {
    const types = ['text/plain', 'text/html', 'text/rtf', 'Files']
    expect(filesFromClipboard({ types, files: [photo] })).toEqual([])
  })

  test('returns nothing for plain text', () => {
    expect(filesFromClipboard({ types: ['text/plain'], files: [] })).toEqual([])
  })

  test('returns a file that is not a picture, so that it gets an error message', () => {
    expect(filesFromClipboard({ types: ['Files'], files: [notes] })).toEqual([notes])
  })
})

describe('CREATE-06 firstPicture', () => {
  test('returns the first picture among other files', () => {
    expect(firstPicture([notes, photo])).toBe(photo)
  })

  test('returns a file of unknown type', () => {
    expect(firstPicture([heic])).toBe(heic)
  })

  test('returns null for a dragged link or text', () => {
    expect(firstPicture([])).toBeNull()
  })
})
