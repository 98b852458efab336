import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SaveDialogOptions } from 'electron'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSavePicture } from '#/main/save-picture'
import { recordingLog } from './support/recording-log'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-picture-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const answer = (body: string, type: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': type } })

/** @param path where the member saves it; null when they cancel. */
function saving(path: string | null, response: Response | Error = answer('bytes', 'image/png')) {
  const asked: SaveDialogOptions[] = []
  const fetched: string[] = []
  let failures = 0
  const log = recordingLog()
  const save = createSavePicture({
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
  return { save, asked, fetched, log, failures: () => failures }
}

test('DESK-12 a stored picture, which is a data URL, is saved where the member chooses', async () => {
  const path = join(folder, 'sea.webp')
  const { save, asked, fetched } = saving(path)
  await save(`data:image/webp;base64,${Buffer.from('picture').toString('base64')}`)
  expect(await readFile(path, 'utf8')).toBe('picture')
  expect(asked).toEqual([
    { defaultPath: 'Vignette photo.webp', filters: [{ name: 'Photos', extensions: ['webp'] }] },
  ])
  expect(fetched).toEqual([])
})

test('DESK-12 any other picture is fetched first; the name suggested follows its type, not its address', async () => {
  const path = join(folder, 'saved')
  const { save, asked, fetched } = saving(path, answer('bytes', 'image/jpeg; charset=binary'))
  await save('https://photos.example.com/run.exe')
  expect(fetched).toEqual(['https://photos.example.com/run.exe'])
  expect(asked[0]?.defaultPath).toBe('Vignette photo.jpg')
  expect(await readFile(path, 'utf8')).toBe('bytes')
})

test('DESK-12 a cancelled dialog writes nothing and is no failure', async () => {
  const { save, failures } = saving(null)
  await save('https://photos.example.com/a.png')
  expect([failures(), await readdir(folder)]).toEqual([0, []])
})

test.each([
  ['is a page', answer('<script>', 'text/html')],
  ['can run scripts', answer('<svg/>', 'image/svg+xml')],
  ['is missing', answer('', 'image/png', 404)],
  ['cannot be reached', new Error('ERR_CONNECTION_REFUSED')],
])('DESK-12 what %s is not saved: the member is told, the log has the reason', async (_what, response) => {
  const { save, asked, failures, log } = saving(join(folder, 'x'), response)
  await save('https://photos.example.com/a.png')
  expect({ asked, failures: failures(), files: await readdir(folder) }).toEqual({
    asked: [],
    failures: 1,
    files: [],
  })
  expect(log.lines[0]).toContain('warn could not save the picture')
})

test('DESK-12 a folder that cannot be written to is told', async () => {
  const { save, failures } = saving(join(folder, 'missing', 'a.png'))
  await save('https://photos.example.com/a.png')
  expect(failures()).toBe(1)
})
