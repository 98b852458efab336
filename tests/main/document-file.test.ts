import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openDocument } from '#/main/document-file'
import { recordingLog } from './support/recording-log'

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
  test('is kept between runs, for its owner only', async () => {
    await open().document.write({ count: 3 })
    expect(open().document.read()).toEqual({ count: 3 })
    const { mode } = await stat(join(directory, 'counter.json'))
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600)
  })

  test('written twice at once, holds what was written last, and leaves nothing beside it', async () => {
    const { document } = open()
    const writes = [document.write({ count: 1 }), document.write({ count: 2 })]
    expect(document.read()).toEqual({ count: 2 })
    await document.settled()
    expect(JSON.parse(await readFile(join(directory, 'counter.json'), 'utf8'))).toEqual({ count: 2 })
    await Promise.all(writes)
    expect(await readdir(directory)).toEqual(['counter.json'])
  })

  test('a write that the disk refuses rejects and changes nothing', async () => {
    const file = join(directory, 'no-folder')
    await writeFile(file, '')
    const { document } = open(file)
    await expect(document.write({ count: 1 })).rejects.toThrow()
    await document.settled()
    expect(document.read()).toEqual({ count: 0 })
  })

  test('a damaged one is set aside, told without what it held, and forgotten when asked to', async () => {
    await writeFile(join(directory, 'counter.json'), '{"count": "a secret"}')
    const { document, log } = open()
    expect(document.read()).toEqual({ count: 0 })
    expect(await readdir(directory)).toEqual(['counter.damaged.json'])
    expect(log.lines.join()).not.toContain('a secret')
    await document.discardDamaged()
    expect(await readdir(directory)).toEqual([])
  })
})
