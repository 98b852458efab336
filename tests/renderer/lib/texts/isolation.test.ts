import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pageTitle } from '#/renderer/app/page-title'
import { cameraLine } from '#/renderer/lib/content/camera'
import { texts } from '#/renderer/lib/texts'
import { isolate } from '#/shared/bidi'
import { sourcesIn } from './sources'

/** A name that turns what follows it around, and ends an isolation that does not count with it. */
const NAME = '\u202eeman\u2069\u202e'

/** Parameters that the app or the system fills, not a member: times, numbers, versions, paths, other texts of the catalogue. */
const MADE = [
  ...['elapsed', 'time', 'at', 'count', 'n', 'version', 'emoji', 'log', 'from', 'why'],
  ...['program', 'system', 'language', 'slider'],
]

const catalogues = sourcesIn('src/renderer/lib/texts').map(({ path, code }) => ({ file: path, code }))
const files = [...catalogues, { file: 'src/main/texts.ts', code: readFileSync('src/main/texts.ts', 'utf8') }]

/** The functions of the catalogues that take a text, with each of these parameters. */
const sentences = files.flatMap(({ file, code }) =>
  [...code.matchAll(/(\w+): \(([^()]*\bstring\b[^()]*)\) =>([\s\S]*?),\n/g)].flatMap(
    ([, name, parameters = '', body = '']) =>
      [...parameters.matchAll(/(\w+): string/g)].map(([, parameter = '']) => ({
        file,
        name,
        parameter,
        body,
      })),
  ),
)

describe('ACC-04 sentences with a name', () => {
  test.each(sentences.filter(({ parameter }) => !MADE.includes(parameter)))(
    '$file: $name isolates $parameter',
    ({ parameter, body }) => {
      expect(body).toContain(`isolate(${parameter})`)
      expect(body).not.toContain(`\${${parameter}}`)
    },
  )

  test('all sentences are found, and all exceptions exist', () => {
    expect(sentences.length).toBeGreaterThan(60)
    expect(MADE.filter((name) => !sentences.some(({ parameter }) => parameter === name))).toEqual([])
  })

  test('a sentence keeps its order around a name', () => {
    expect(texts.messages.saidBy(NAME, NAME)).toBe(
      '\u2068\u202eeman\u202e\u2069: \u2068\u202eeman\u202e\u2069',
    )
    expect(texts.stories.replyTo(NAME)).toBe('Reply to \u2068\u202eeman\u202e\u2069...')
    expect(texts.stories.replyTo('mara')).toBe('Reply to mara...')
  })

  test('the page’s title isolates what the address names', () => {
    const address = new URLSearchParams({ tag: NAME })
    expect(pageTitle('/', `?${address}`)).toContain(isolate(`#${NAME}`))
    expect(pageTitle('/', `?${new URLSearchParams({ place: NAME })}`)).toContain(isolate(NAME))
    expect(pageTitle('/profile/mara')).toBe('mara · Vignette')
  })

  test('details of a camera are isolated from each other', () => {
    expect(cameraLine({ camera: NAME, lens: 'Lens' })).toBe(`${isolate(NAME)}\u00a0· Lens`)
  })
})
