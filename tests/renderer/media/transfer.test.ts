import { describe, expect, test } from 'vitest'
import { pictureFromClipboard, pictureFromDrop } from '#/renderer/lib/media'

const photo = new File(['photo'], 'image.png', { type: 'image/png' })
const notes = new File(['notes'], 'notes.txt', { type: 'text/plain' })
const heic = new File(['heic'], 'IMG_0001.heic')

describe('CREATE-06 pasting', () => {
  test('a copied picture', () => {
    expect(pictureFromClipboard({ types: ['Files'], files: [photo] })).toBe(photo)
  })

  test('a picture copied from a page, which brings its markup', () => {
    expect(pictureFromClipboard({ types: ['text/html', 'Files'], files: [photo] })).toBe(photo)
  })

  test('a file copied in a file manager, which brings its name as text', () => {
    expect(pictureFromClipboard({ types: ['text/plain', 'Files'], files: [photo] })).toBe(photo)
  })

  test('cells or paragraphs, which bring a picture of themselves, stay text', () => {
    const types = ['text/plain', 'text/html', 'text/rtf', 'Files']
    expect(pictureFromClipboard({ types, files: [photo] })).toBeNull()
  })

  test('text alone', () => {
    expect(pictureFromClipboard({ types: ['text/plain'], files: [] })).toBeNull()
  })

  test('a file that is no picture is taken, to be refused in words', () => {
    expect(pictureFromClipboard({ types: ['Files'], files: [notes] })).toBe(notes)
  })
})

describe('CREATE-06 dropping', () => {
  test('the first picture among other files', () => {
    expect(pictureFromDrop({ types: ['Files'], files: [notes, photo] })).toBe(photo)
  })

  test('a file of a type the system does not know', () => {
    expect(pictureFromDrop({ types: ['Files'], files: [heic] })).toBe(heic)
  })

  test('a dragged link or text', () => {
    expect(pictureFromDrop({ types: ['text/uri-list'], files: [] })).toBeNull()
  })
})
