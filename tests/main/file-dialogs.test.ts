import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenDialogOptions, OpenDialogReturnValue } from 'electron'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileHandlers } from '#/main/file-dialogs'
import { SOURCE_LIMITS } from '#/shared/limits'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Handlers over a dialog that answers with these paths; none means cancelled. */
function choosing(...filePaths: string[]) {
  const asked: OpenDialogOptions[] = []
  const handlers = fileHandlers(async (options) => {
    asked.push(options)
    return { canceled: filePaths.length === 0, filePaths }
  })
  return { pick: handlers['files.pick'], asked }
}

/** A file of a size, without writing that much. */
async function sparseFile(name: string, size: number): Promise<string> {
  const path = join(folder, name)
  const file = await open(path, 'w')
  await file.truncate(size)
  await file.close()
  return path
}

describe('DESK-02 files.pick', () => {
  test('gives the name and the bytes, in memory of their own', async () => {
    const path = join(folder, 'ana’s photo.jpg')
    await writeFile(path, new Uint8Array([255, 216, 255, 0, 1]))
    const picked = await choosing(path).pick('photo')
    expect(picked).toEqual({ name: 'ana’s photo.jpg', bytes: new Uint8Array([255, 216, 255, 0, 1]) })
    expect(picked?.bytes.buffer.byteLength).toBe(5)
  })

  test('cancelled is null', async () => {
    expect(await choosing().pick('photo')).toBeNull()
  })

  test('an empty file has no bytes', async () => {
    expect((await choosing(await sparseFile('empty.png', 0)).pick('photo'))?.bytes).toEqual(new Uint8Array(0))
  })

  test.each([
    ['photo', SOURCE_LIMITS.imageBytes],
    ['avatar', SOURCE_LIMITS.imageBytes],
    ['video', SOURCE_LIMITS.videoBytes],
  ] as const)(
    'CREATE-05 a %s of exactly its limit is read, one byte more is refused',
    async (kind, limit) => {
      const allowed = await sparseFile(`${kind}-allowed`, limit)
      expect((await choosing(allowed).pick(kind))?.bytes).toHaveLength(limit)
      const tooLarge = await sparseFile(`${kind}-too-large`, limit + 1)
      // Its length only: were it read, printing the bytes would take the rest of the day.
      const size = async () => (await choosing(tooLarge).pick(kind))?.bytes.length
      await expect(size()).rejects.toMatchObject({
        code: 'file-too-large',
        text: expect.stringContaining(`${limit / 1024 / 1024} MB`),
      })
    },
  )

  test('a folder, or a file that is gone, is unreadable; only its name is told', async () => {
    const path = join(folder, 'album.jpg')
    await mkdir(path)
    for (const bad of [path, join(folder, 'gone', 'album.jpg')]) {
      await expect(choosing(bad).pick('photo')).rejects.toMatchObject({
        code: 'file-unreadable',
        text: '“album.jpg” cannot be read.',
      })
    }
  })

  test('asks for one file, of its kind or any', async () => {
    const { pick, asked } = choosing()
    await pick('video')
    expect(asked[0]).toMatchObject({ title: 'Choose a video', properties: ['openFile'] })
    expect(asked[0]?.filters?.map(({ extensions }) => extensions)).toEqual([
      ['mp4', 'm4v', 'webm', 'mov'],
      ['*'],
    ])
  })

  test('one dialog at a time: asking meanwhile gives nothing, afterwards it works again', async () => {
    const dialogs: ((answer: OpenDialogReturnValue) => void)[] = []
    const pick = fileHandlers(() => new Promise((resolve) => dialogs.push(resolve)))['files.pick']
    const first = pick('photo')
    expect(await pick('photo')).toBeNull()
    expect(dialogs).toHaveLength(1)
    dialogs[0]?.({ canceled: true, filePaths: [] })
    await first
    void pick('photo')
    expect(dialogs).toHaveLength(2)
  })
})
