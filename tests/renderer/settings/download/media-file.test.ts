import { expect, test } from 'vitest'
import { mediaFile } from '#/renderer/features/settings/download/media-file'

test.each([
  ['jpeg', 'image/jpeg', 'jpg'],
  ['png', 'image/png', 'png'],
  ['mp4', 'video/mp4', 'mp4'],
  ['webm', 'video/webm', 'webm'],
])('SAFE-05 a stored %s becomes the original file', async (_, type, extension) => {
  const bytes = Uint8Array.from({ length: 1_000 }, (_each, index) => index % 251)
  const file = await mediaFile(`data:${type};base64,${Buffer.from(bytes).toString('base64')}`)
  expect(file?.extension).toBe(extension)
  expect(await file?.content.bytes()).toEqual(bytes)
})

test('SAFE-05 decoding a video does not block the page', async () => {
  const bytes = new Uint8Array(6_000_000).fill(7)
  const url = `data:video/mp4;base64,${Buffer.from(bytes).toString('base64')}`
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  const file = await mediaFile(url)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(1)
  expect(Buffer.compare((await file?.content.bytes()) ?? new Uint8Array(), bytes)).toBe(0)
})

test.each(['data:text/html;base64,AAAA', 'data:image/png;base64,%%%', 'data:,', 'https://example.com/a.png'])(
  'SAFE-05 %s yields no file',
  async (url) => {
    await expect(mediaFile(url)).resolves.toBeNull()
  },
)
