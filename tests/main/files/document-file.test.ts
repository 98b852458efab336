import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { openDocument } from '#/main/files/document-file'
import { recordingLog } from '../support/recording-log'

// electron-store does not need Electron when these options are given.
vi.mock('electron', () => ({ default: {} }))

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vignette-document-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const schema = z.strictObject({ count: z.number() })

function open(folder = directory) {
  const log = recordingLog()
  const document = openDocument({ directory: folder, name: 'counter', schema, empty: { count: 0 }, log })
  return { document, log }
}

describe('a document', () => {
  test('is kept between runs and readable only by its owner', async () => {
    open().document.write({ count: 3 })
    expect(open().document.read()).toEqual({ count: 3 })
    const { mode } = await stat(join(directory, 'counter.json'))
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600)
  })

  test('reads the files of earlier versions', async () => {
    await writeFile(join(directory, 'counter.json'), `${JSON.stringify({ count: 7 }, null, 2)}\n`)
    expect(open().document.read()).toEqual({ count: 7 })
  })

  test('reads a file with a byte order mark, which editors of Windows write', async () => {
    await writeFile(join(directory, 'counter.json'), '\uFEFF{"count": 7}')
    const { document, log } = open()
    expect(document.read()).toEqual({ count: 7 })
    expect(document.isDamaged).toBe(false)
    expect(log.lines).toEqual([])
  })

  test('starts empty and creates no file before the first write', async () => {
    const { document, log } = open()
    expect(document.read()).toEqual({ count: 0 })
    expect(log.lines).toEqual([])
    expect(await readdir(directory)).toEqual([])
  })

  test('is on disk after a write, without temporary files', async () => {
    const { document } = open()
    document.write({ count: 1 })
    document.write({ count: 2 })
    expect(document.read()).toEqual({ count: 2 })
    expect(JSON.parse(await readFile(join(directory, 'counter.json'), 'utf8'))).toEqual({ count: 2 })
    expect(await readdir(directory)).toEqual(['counter.json'])
  })

  test('throws and keeps the old value if the disk refuses a write', async () => {
    const { document } = open()
    document.write({ count: 1 })
    await rm(join(directory, 'counter.json'))
    await mkdir(join(directory, 'counter.json'))
    expect(() => document.write({ count: 2 })).toThrow()
    expect(document.read()).toEqual({ count: 1 })
  })

  test('starts empty if no file can be created', async () => {
    const file = join(directory, 'no-folder')
    await writeFile(file, '')
    const { document } = open(file)
    expect(document.read()).toEqual({ count: 0 })
    expect(() => document.write({ count: 1 })).toThrow()
    expect(document.read()).toEqual({ count: 0 })
  })

  test.each([
    ['{"count": "a secret"}', 'count invalid_type'],
    ['{"count": 1, "a secret"', 'not JSON'],
    ['["a secret"]', 'invalid_type'],
  ])('sets %s aside, logs it without its content, and deletes it on request', async (text, reason) => {
    await writeFile(join(directory, 'counter.json'), text)
    const { document, log } = open()
    expect(document.read()).toEqual({ count: 0 })
    expect(document.isDamaged).toBe(true)
    expect(await readdir(directory)).toEqual(['counter.damaged.json'])
    expect(log.lines.join()).toContain('counter.json cannot be used and is set aside')
    expect(log.lines.join()).toContain(reason)
    expect(log.lines.join()).not.toContain('a secret')

    document.write({ count: 1 })
    expect(open().document.read()).toEqual({ count: 1 })
    document.discardDamaged()
    expect(await readdir(directory)).toEqual(['counter.json'])
  })
})
