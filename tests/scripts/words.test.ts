import { describe, expect, test } from 'vitest'
import { checkedFiles, WORDS, wordsIn } from '../../scripts/lib/word-list.mjs'

/** Built, so that the scan of this file does not take it for a title. */
const call = (name: string, title: string) => `${name}('${title}', () => {})\n`

describe('the word list', () => {
  test('finds none of its words in the checked files', () => {
    const files = checkedFiles()
    expect(files.length).toBeGreaterThan(40)
    expect(files.flatMap((file) => wordsIn(file))).toEqual([])
  })

  test.each([
    ['a line comment', 'a.ts', "const a = 'b'\n// Reads it anew.\n", 2],
    [
      'a block comment, over two lines',
      'a.tsx',
      '/**\n * The member is\n * told.\n */\nexport const a = <p>b</p>\n',
      2,
    ],
    ['the title of a test', 'a.test.ts', `\n${call('test', 'FEED-04 a like is taken back')}`, 2],
    ['a title with parameters', 'a.test.ts', call('test.each([1])', 'whoever reads %s'), 1],
    ['a title after a table of texts', 'a.test.ts', `${call("test.each([['(a)', b()]])", '%s anew')}`, 1],
    ['a title in the next line', 'a.test.ts', "test(\n  'shows it anew',\n  () => {},\n)\n", 2],
    ['a comment of a migration', 'a.sql', "select 'x';\n-- Whom it concerns\n", 2],
    ['the documentation of a function', 'a.sql', "comment on function f() is 'Reads anew';\n", 1],
    ['a document', 'a.md', '# Title\n\nIt is in a file of its own.\n', 3],
    ['a sentence with a clause as its subject', 'a.md', 'One.\n\nWhat is gone stays away.\n', 3],
  ])('finds a word in %s and names its line', (_, file, source, line) => {
    expect(wordsIn(file, source)).toEqual([expect.stringMatching(`^${file}:${line} '`)])
  })

  test.each([
    ['code', 'a.ts', 'const anew = whoever(oneself)\n'],
    ['texts of code', 'a.ts', "const text = 'anew'\n"],
    ['code in a document', 'a.md', 'Call `anew()`.\n\n```sh\nanew\n```\n'],
    ['quotations', 'a.md', 'The screen shows \'Those that follow you\', and "what is new".\n'],
    ['questions', 'a.md', 'One. What is a story?\n'],
    ['names of files', 'a.md', 'See tests/main/outside-wishes.\n'],
    ['strings of SQL', 'a.sql', "select 'anew -- whom';\n"],
  ])('ignores %s', (_, file, source) => {
    expect(wordsIn(file, source)).toEqual([])
  })

  test('says for each word what to write instead', () => {
    for (const [words, instead] of WORDS) expect(instead, words).not.toBe('')
  })
})
