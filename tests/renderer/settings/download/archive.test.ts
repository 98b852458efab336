import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { createArchive } from '#/renderer/features/settings/download/archive'

const NOW = new Date('2026-11-28T12:00:00Z')

async function namesIn(archives: readonly Blob[]): Promise<string[][]> {
  return Promise.all(archives.map(async (file) => Object.keys(unzipSync(await file.bytes()))))
}

test('SAFE-05 an archive that would be larger than a zip file goes on in another one, and ends with its texts', async () => {
  const archive = createArchive(NOW, 1_000)
  for (const name of ['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4'])
    await archive.add(name, new Blob([new Uint8Array(400)]))
  await archive.add('large.mp4', new Blob([new Uint8Array(2_000)]))
  await archive.addText('index.html', ['W'.repeat(3_000)])
  const files = archive.finish()
  expect(await namesIn(files)).toEqual([
    ['a.mp4', 'b.mp4'],
    ['c.mp4', 'd.mp4'],
    ['large.mp4', 'index.html'],
  ])
})

test('SAFE-05 a video goes into the archive in slices, whole', async () => {
  const bytes = Uint8Array.from({ length: 20_000_001 }, (_, index) => index % 251)
  const read: number[] = []
  const content = new Blob([bytes])
  const slice = content.slice.bind(content)
  content.slice = (start, end, type) => {
    const part = slice(start, end, type)
    read.push(part.size)
    return part
  }
  content.arrayBuffer = () => Promise.reject(new Error('read as a whole'))
  const archive = createArchive(NOW)
  await archive.add('a.mp4', content)
  await archive.addText('a.vtt', ['WEBVTT'])
  const [file = new Blob(), ...others] = archive.finish()
  expect(others).toEqual([])
  const files = unzipSync(await file.bytes())
  expect(Buffer.compare(files['a.mp4'] ?? new Uint8Array(), bytes)).toBe(0)
  expect(strFromU8(files['a.vtt'] ?? new Uint8Array())).toBe('WEBVTT')
  expect(read).toEqual([8_000_000, 8_000_000, 4_000_001])
})
