import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { blobOf, nameOf } from '#/renderer/lib/media'
import { readPart } from '#/renderer/lib/media/source/media-file'
import { isVideoFile } from '#/renderer/lib/media/story-media'

const CONTENT = Uint8Array.from({ length: 10 }, (_, at) => at)
const VIDEO = { name: 'sea.mov', size: 10, url: '/opened/1' }

let asked: [url: string, range: string | null][] = []
let answer: (from: number, to: number) => Response

beforeEach(() => {
  asked = []
  answer = (from, to) => new Response(CONTENT.slice(from, to + 1), { status: 206 })
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    const range = headers.range ?? ''
    asked.push([url, range])
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
    return answer(Number(from), Number(to))
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('STORY-08 a video that the app was opened with', () => {
  test('is read in parts, of which none is beyond its end', async () => {
    expect([...(await readPart(VIDEO, 2, 5))]).toEqual([2, 3, 4])
    expect([...(await readPart(VIDEO, 8, 99))]).toEqual([8, 9])
    expect([...(await readPart(VIDEO, 10, 12))]).toEqual([])
    expect(asked).toEqual([
      ['/opened/1', 'bytes=2-4'],
      ['/opened/1', 'bytes=8-9'],
    ])
  })

  test.each([
    ['is gone', () => new Response(null, { status: 404 })],
    ['was changed', () => new Response(null, { status: 409 })],
    ['is not served as parts', () => new Response(CONTENT, { status: 200 })],
    ['ended early', () => new Response(CONTENT.slice(0, 2), { status: 206 })],
  ])('is refused when it %s', async (_, given) => {
    answer = given
    await expect(readPart(VIDEO, 2, 5)).rejects.toMatchObject({ name: 'NotReadableError' })
    expect(await isVideoFile(VIDEO)).toBe(false)
  })

  test('becomes a file of its name, to be kept', async () => {
    const file = await blobOf(VIDEO)
    expect([nameOf(file), nameOf(VIDEO), [...new Uint8Array(await file.arrayBuffer())]]).toEqual([
      'sea.mov',
      'sea.mov',
      [...CONTENT],
    ])
    expect(await blobOf(file)).toBe(file)
  })

  test('a chosen file is read without asking for it', async () => {
    expect([...(await readPart(new Blob([CONTENT]), 8, 99))]).toEqual([8, 9])
    expect(asked).toEqual([])
  })
})
