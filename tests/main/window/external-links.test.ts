import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOpenExternal, externalUrl } from '#/main/window/external-links'
import { recordingLog } from '../support/recording-log'

describe('externalUrl', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['http://example.com/a?b=c#d', 'http://example.com/a?b=c#d'],
    ['mailto:ana@example.com?subject=Hi', 'mailto:ana@example.com?subject=Hi'],
  ])('%s is allowed', (url, href) => {
    expect(externalUrl(url)).toBe(href)
  })

  test.each([
    'file:///etc/passwd',
    'file://server/share',
    'javascript:alert(1)',
    'data:text/html,x',
    'app://bundle/',
    'vignette://auth',
    'ms-msdt:/id PCWDiagnostic',
    'smb://server/share',
    'https://ana:secret@example.com/',
    'mailto:ana@example.com?attach=/etc/passwd',
    'example.com',
    '--help',
    'https://`id`/',
    '',
  ])('%j is rejected', (url) => {
    expect(externalUrl(url)).toBeNull()
  })

  test('for any text, the result is null or a normalized web or mail address', () => {
    const text = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('https:', 'http:', 'file:', 'mailto:', 'java\nscript:'), fc.string())
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (given) => {
        const url = externalUrl(given)
        if (url === null) return
        expect(['https:', 'http:', 'mailto:']).toContain(new URL(url).protocol)
        expect(url).not.toMatch(/[\s"<>`\\^{|}]/)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('openExternal', () => {
  const into = (opened: string[]) => ({ openExternal: async (url: string) => void opened.push(url) })

  test('a page can open at most ten links in a loop, by any means', () => {
    const opened: string[] = []
    let time = 0
    const open = createOpenExternal(into(opened), () => time, recordingLog())
    for (let page = 0; page < 1_000; page++) open(`https://example.com/${page}`)
    expect(opened).toHaveLength(10)
    time = 2_000
    expect(open('https://example.com/later')).toBe(true)
    expect(open('https://example.com/too-soon')).toBe(false)
  })

  test('opens the normalized URL and returns true; rejects the others', () => {
    const opened: string[] = []
    const open = createOpenExternal(into(opened), () => 0, recordingLog())
    expect(open('https://EXAMPLE.com')).toBe(true)
    expect(open('file:///etc/passwd')).toBe(false)
    expect(opened).toEqual(['https://example.com/'])
  })

  test('logs a failure of the system to open the link', async () => {
    const log = recordingLog()
    const open = createOpenExternal(
      { openExternal: () => Promise.reject(new Error('no application')) },
      () => 0,
      log,
    )
    expect(open('https://example.com')).toBe(true)
    await Promise.resolve()
    expect(log.lines.join()).toContain('no application')
  })
})
