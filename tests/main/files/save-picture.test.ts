import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SaveDialogOptions } from 'electron'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSavePicture, pictureName } from '#/main/files/save-picture'
import type { SavedPicture } from '#/shared/bridge'
import { recordingLog } from '../support/recording-log'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-picture-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const pictureResponse = (body: string, type: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': type } })

/** @param path the chosen file; null for a cancelled dialog. */
function createTestSaver(
  path: string | null,
  response: Response | Error = pictureResponse('bytes', 'image/png'),
) {
  const asked: SaveDialogOptions[] = []
  const fetched: string[] = []
  let failures = 0
  const log = recordingLog()
  const askedPage: string[] = []
  const { ask, handlers } = createSavePicture({
    askPage: (url) => void askedPage.push(url),
    pictures: () => folder,
    showSaveDialog: async (options) => {
      asked.push(options)
      return { canceled: path === null, filePath: path ?? '' }
    },
    fetchUrl: async (url) => {
      fetched.push(url)
      if (response instanceof Error) throw response
      return response
    },
    failed: () => {
      failures += 1
    },
    log,
  })
  const answer = handlers['files.savePicture']
  /** The member chooses the menu item, and the page answers. */
  const save = async (url: string, picture: Partial<SavedPicture> = {}) => {
    ask(url)
    await answer({ author: null, date: null, bytes: null, ...picture })
  }
  return { save, answer, askedPage, asked, fetched, log, failures: () => failures }
}

test('DESK-12 saves a stored picture (a data URL) where the member chooses', async () => {
  const path = join(folder, 'sea.webp')
  const { save, asked, fetched } = createTestSaver(path)
  await save(`data:image/webp;base64,${Buffer.from('picture').toString('base64')}`)
  expect(await readFile(path, 'utf8')).toBe('picture')
  expect(asked).toEqual([
    {
      defaultPath: join(folder, 'Vignette photo.webp'),
      filters: [{ name: 'Photos', extensions: ['webp'] }],
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    },
  ])
  expect(fetched).toEqual([])
})

test('DESK-12 fetches any other picture and suggests a name by its type, not its URL', async () => {
  const path = join(folder, 'saved')
  const { save, asked, fetched } = createTestSaver(
    path,
    pictureResponse('bytes', 'image/jpeg; charset=binary'),
  )
  await save('https://photos.example.com/run.exe')
  expect(fetched).toEqual(['https://photos.example.com/run.exe'])
  expect(asked[0]?.defaultPath).toBe(join(folder, 'Vignette photo.jpg'))
  expect(await readFile(path, 'utf8')).toBe('bytes')
})

test('DESK-12 writes nothing and reports no error when the dialog is cancelled', async () => {
  const { save, failures } = createTestSaver(null)
  await save('https://photos.example.com/a.png')
  expect([failures(), await readdir(folder)]).toEqual([0, []])
})

test.each([
  ['is a page', pictureResponse('<script>', 'text/html')],
  ['can run scripts', pictureResponse('<svg/>', 'image/svg+xml')],
  ['is missing', pictureResponse('', 'image/png', 404)],
  ['cannot be reached', new Error('ERR_CONNECTION_REFUSED')],
])('DESK-12 %s: saves nothing, tells the member and logs the reason', async (_what, response) => {
  const { save, asked, failures, log } = createTestSaver(join(folder, 'x'), response)
  await save('https://photos.example.com/a.png')
  expect({ asked, failures: failures(), files: await readdir(folder) }).toEqual({
    asked: [],
    failures: 1,
    files: [],
  })
  expect(log.lines[0]).toContain('warn could not save the picture')
})

test('DESK-12 reports a folder that cannot be written to', async () => {
  const { save, failures } = createTestSaver(join(folder, 'missing', 'a.png'))
  await save('https://photos.example.com/a.png')
  expect(failures()).toBe(1)
})

test('DESK-12 an endless picture is refused, and its request ends', async () => {
  let sent = 0
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1_000_000
      controller.enqueue(new Uint8Array(1_000_000))
    },
    cancel: () => {
      isCancelled = true
    },
  })
  const response = new Response(body, { headers: { 'content-type': 'image/png' } })
  const { save, asked, failures } = createTestSaver(join(folder, 'endless.png'), response)
  await save('https://server.example/picture.png')
  expect([asked.length, failures(), isCancelled]).toEqual([0, 1, true])
  expect(sent).toBeLessThan(30_000_000)
})

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')

test('DESK-12 a preview, which only the page can read, is saved with what the page sends', async () => {
  const path = join(folder, 'preview.png')
  const { save, asked, askedPage, fetched } = createTestSaver(path)
  await save('blob:app://bundle/1', { author: 'ana', date: '2026-11-26', bytes: PNG })
  expect(await readFile(path)).toEqual(PNG)
  expect([askedPage, fetched]).toEqual([['blob:app://bundle/1'], []])
  expect(asked[0]?.defaultPath).toBe(join(folder, 'ana 2026-11-26.png'))
})

test('DESK-12 a second picture of the same author and day gets a number, in the folder of the first', async () => {
  const path = join(folder, 'chosen', 'ana 2026-11-26.png')
  await mkdir(join(folder, 'chosen'))
  const { save, asked } = createTestSaver(path)
  const picture = { author: 'ana', date: '2026-11-26', bytes: PNG }
  await save('blob:app://bundle/1', picture)
  await save('blob:app://bundle/1', picture)
  expect(asked[1]?.defaultPath).toBe(join(folder, 'chosen', 'ana 2026-11-26 (2).png'))
})

test.each([
  ['a program', Buffer.from('MZ')],
  ['too large', Buffer.alloc(60_000_000, PNG)],
])('DESK-12 saves nothing that is %s', async (_what, bytes) => {
  const { save, asked, failures } = createTestSaver(join(folder, 'x'))
  await save('blob:app://bundle/1', { bytes })
  expect([asked, failures()]).toEqual([[], 1])
})

test('DESK-12 the page saves nothing that the member did not ask for', async () => {
  const { save, answer, asked } = createTestSaver(join(folder, 'x.png'))
  const picture = { author: null, date: null, bytes: PNG }
  await expect(answer(picture)).rejects.toMatchObject({ code: 'refused' })
  await save('blob:app://bundle/1', picture)
  await expect(answer(picture)).rejects.toMatchObject({ code: 'refused' })
  expect(asked).toHaveLength(1)
})

test.each([
  ['ana', '2026-11-26', 'ana 2026-11-26'],
  ['a/b\\c:d*e?"<>|', '2026-11-26', 'abcde 2026-11-26'],
  ['../..', '2026-11-26', '2026-11-26'],
  ['ana\u202egnp', '2026-11-26', 'anagnp 2026-11-26'],
  ['con', null, 'con_'],
  ['con.x', '2026-11-26', 'con_.x 2026-11-26'],
  ['Lpt1.a', null, 'Lpt1_.a'],
  ['con', '2026-11-26', 'con 2026-11-26'],
  ['conny.x', null, 'conny.x'],
  ['ana.', null, 'ana'],
  ['界'.repeat(90), '2026-11-26', `${'界'.repeat(50)} 2026-11-26`],
  [null, '2026-11-26', 'Vignette photo'],
  ['', null, 'Vignette photo'],
])('DESK-12 the file of %j, %s is called %j', (author, date, name) => {
  expect(pictureName({ author, date })).toBe(name)
})
