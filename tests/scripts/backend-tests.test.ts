import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../backend')

// The files of one worker share their modules, so a mock would depend on the order of the files.
test('no backend test mocks a module', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  expect(files.length).toBeGreaterThan(50)
  const mocking = files.filter((name) =>
    /\bvi\.(mock|doMock)\(/.test(readFileSync(join(FOLDER, name), 'utf8')),
  )
  expect(mocking).toEqual([])
})
