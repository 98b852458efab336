import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDERS = ['backend', 'supabase'].map((name) => join(import.meta.dirname, '..', name))

// The files of one worker share their modules, so a mock would depend on the order of the files.
test('no backend test mocks a module', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ).filter((path) => path.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(50)
  const mocking = files.filter((path) => /\bvi\.(mock|doMock)\(/.test(readFileSync(path, 'utf8')))
  expect(mocking).toEqual([])
})
