import { describe, expect, test } from 'vitest'
import { pictureFromClipboard, pictureFromDrop } from '#/renderer/lib/useDropAndPaste'

const photo = new File(['photo'], 'image.png', { type: 'image/png' })
const notes = new File(['notes'], 'notes.txt', { type: 'text/plain' })
const heic = new File(['heic'], 'IMG_0001.heic')

describe('CREATE-06 pictureFromClipboard', () => {
  test('returns a copied picture', () => {
    expect(pictureFromClipboard({ types: ['Files'], files: [photo] })).toBe(photo)
  })

  test('returns a picture copied from a page together with its HTML', () => {
    expect(pictureFromClipboard({ types: ['text/html', 'Files'], files: [photo] })).toBe(photo)
  })

  test('returns a file copied in a file manager together with its name', () => {
    expect(pictureFromClipboard({ types: ['text/plain', 'Files'], files: [photo] })).toBe(photo)
  })

  test('returns null for formatted text that includes a picture of itself', () => {
    const types = ['text/plain', 'text/html', 'text/rtf', 'Files']
    expect(pictureFromClipboard({ types, files: [photo] })).toBeNull()
  })

  test('returns null for plain text', () => {
    expect(pictureFromClipboard({ types: ['text/plain'], files: [] })).toBeNull()
  })

  test('returns a file that is not a picture, so that it gets an error message', () => {
    expect(pictureFromClipboard({ types: ['Files'], files: [notes] })).toBe(notes)
  })
})

describe('CREATE-06 pictureFromDrop', () => {
  test('returns the first picture among other files', () => {
    expect(pictureFromDrop({ types: ['Files'], files: [notes, photo] })).toBe(photo)
  })

  test('returns a file of unknown type', () => {
    expect(pictureFromDrop({ types: ['Files'], files: [heic] })).toBe(heic)
  })

  test('returns null for a dragged link or text', () => {
    expect(pictureFromDrop({ types: ['text/uri-list'], files: [] })).toBeNull()
  })
})
