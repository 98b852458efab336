import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenDialogOptions, OpenDialogReturnValue } from 'electron'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileHandlers } from '#/main/files/file-dialogs'
import { SOURCE_LIMITS } from '#/shared/limits'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Handlers with a dialog that returns these paths; none means cancelled. */
function handlersChoosing(...filePaths: string[]) {
  const asked: OpenDialogOptions[] = []
  const handlers = fileHandlers(async (options) => {
    asked.push(options)
    return { canceled: filePaths.length === 0, filePaths }
  })
  return {
    pick: handlers['files.pick'],
    pickPhotos: handlers['files.pickPhotos'],
    readPicked: handlers['files.readPicked'],
    asked,
  }
}

/** Creates a sparse file of this size. */
async function sparseFile(name: string, size: number): Promise<string> {
  const path = join(folder, name)
  const file = await open(path, 'w')
  await file.truncate(size)
  await file.close()
  return path
}

describe('DESK-02 files.pick', () => {
  test('returns the name and the bytes in their own buffer', async () => {
    const path = join(folder, 'ana’s photo.jpg')
    await writeFile(path, new Uint8Array([255, 216, 255, 0, 1]))
    const picked = await handlersChoosing(path).pick('photo')
    expect(picked).toEqual({ name: 'ana’s photo.jpg', bytes: new Uint8Array([255, 216, 255, 0, 1]) })
    expect(picked?.bytes.buffer.byteLength).toBe(5)
  })

  test('returns null when cancelled', async () => {
    expect(await handlersChoosing().pick('photo')).toBeNull()
  })

  test('returns an empty array for an empty file', async () => {
    expect((await handlersChoosing(await sparseFile('empty.png', 0)).pick('photo'))?.bytes).toEqual(
      new Uint8Array(0),
    )
  })

  test.each([
    ['photo', SOURCE_LIMITS.imageBytes],
    ['avatar', SOURCE_LIMITS.imageBytes],
  ] as const)(
    'CREATE-05 a %s of exactly its limit is read, a larger one is rejected',
    async (kind, limit) => {
      const allowed = await sparseFile(`${kind}-allowed`, limit)
      expect((await handlersChoosing(allowed).pick(kind))?.bytes).toHaveLength(limit)
      const tooLarge = await sparseFile(`${kind}-too-large`, limit + 1)
      // Compare only the length: printing the bytes on failure would take very long.
      const size = async () => (await handlersChoosing(tooLarge).pick(kind))?.bytes.length
      await expect(size()).rejects.toMatchObject({
        code: 'file-too-large',
        text: `${kind}-too-large`,
      })
    },
  )

  test('reports a folder or missing file as unreadable, with nothing but its name', async () => {
    const path = join(folder, 'album.jpg')
    await mkdir(path)
    for (const bad of [path, join(folder, 'gone', 'album.jpg')]) {
      await expect(handlersChoosing(bad).pick('photo')).rejects.toMatchObject({
        code: 'file-unreadable',
        text: '“album.jpg” cannot be read.',
      })
    }
  })

  test('asks for one file, filtered by kind or any', async () => {
    const { pick, asked } = handlersChoosing()
    await pick('photo')
    expect(asked[0]).toMatchObject({ title: 'Choose a photo', properties: ['openFile'] })
    const [photos, any] = asked[0]?.filters ?? []
    expect(photos?.extensions).toContain('jpg')
    expect(any?.extensions).toEqual(['*'])
  })

  test('returns null while another dialog is open, and works again afterwards', async () => {
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

describe('CREATE-07 files.pickPhotos', () => {
  test('asks for several photos, and returns their names; each is read on its own', async () => {
    const paths = ['first.jpg', 'second.jpg'].map((name) => join(folder, name))
    for (const [index, path] of paths.entries()) await writeFile(path, new Uint8Array([index]))
    const tooLarge = await sparseFile('third.jpg', SOURCE_LIMITS.imageBytes + 1)
    const { pickPhotos, readPicked, asked } = handlersChoosing(...paths, tooLarge)
    expect(await pickPhotos()).toEqual(['first.jpg', 'second.jpg', 'third.jpg'])
    expect(asked[0]).toMatchObject({
      title: 'Choose photos',
      properties: ['openFile', 'multiSelections'],
    })
    expect(await readPicked(1)).toEqual({ name: 'second.jpg', bytes: new Uint8Array([1]) })
    await expect(readPicked(2)).rejects.toMatchObject({ code: 'file-too-large' })
    await expect(readPicked(3)).rejects.toMatchObject({ code: 'file-unreadable' })
  })

  test('reads nothing that was not chosen', async () => {
    const { pickPhotos, readPicked } = handlersChoosing()
    expect(await pickPhotos()).toEqual([])
    await expect(readPicked(0)).rejects.toMatchObject({ code: 'file-unreadable' })
  })
})
