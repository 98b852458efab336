import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trimText } from '#/shared/visible-text'

test.each([
  ['', ''],
  [' \n\t', ''],
  ['\u00a0\u2007\u3000', ''],
  ['\u2800', ''],
  ['\u3164 \u115f\u1160\uffa0', ''],
  ['\u200b\u200c\u200d\u2060\ufeff\u00ad', ''],
  ['\u202e\u2066\u2069', ''],
  ['\ufe0f', ''],
  ['\u{e0020}\u{1d159}\u{13441}', ''],
  [' Low tide\n', 'Low tide'],
  ['❤️', '❤️'],
  ['\u200f\u05d0', '\u200f\u05d0'],
  ['\u2800 a', '\u2800 a'],
  ['⠓⠊', '⠓⠊'],
  ['.', '.'],
])('ACC-04 of %j the text is %j', (typed, expected) => {
  expect(trimText(typed)).toBe(expected)
  // As a browser compiles the attribute.
})

/** What is no text of a member, or is measured or searched only. */
const OTHERS = /\b(email|code|url|publishableKey|username|typed|query|value|details|character)\)?\.trim\(\)$/

test('ACC-04 forms trim the texts of members with trimText', async () => {
  const folder = join(import.meta.dirname, '../../src/renderer/features')
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.tsx?$/.test(file))
  const found = await Promise.all(
    files.map(async (file) =>
      [...(await readFile(join(folder, file), 'utf8')).matchAll(/[\w.?]+\)?\.trim\(\)/g)].map(
        ([use]) => `${file}: ${use}`,
      ),
    ),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(found.flat().filter((use) => !OTHERS.test(use))).toEqual([])
})
