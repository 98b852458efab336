import { describe, expect, test } from 'vitest'
import { isWebsite, withScheme } from '#/renderer/features/profile/edit/website'

describe('EDIT-02 websites', () => {
  test.each([
    ['example.com', 'https://example.com'],
    ['  example.com/a?b=c ', 'https://example.com/a?b=c'],
    ['example.com:8080/a', 'https://example.com:8080/a'],
    ['localhost:3000', 'https://localhost:3000'],
    ['//example.com', 'https://example.com'],
    ['http://example.com', 'http://example.com'],
    ['HTTPS://EXAMPLE.COM', 'HTTPS://EXAMPLE.COM'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['mailto:mara@example.com', 'mailto:mara@example.com'],
    ['', ''],
    ['   ', ''],
  ])('%j becomes %j', (typed, website) => {
    expect(withScheme(typed)).toBe(website)
  })

  test.each([
    'https://example.com',
    'http://localhost:3000/a',
    'HTTPS://Example.com',
    'https://bücher.example',
  ])('%s may be linked to', (website) => {
    expect(isWebsite(website)).toBe(true)
  })

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)//https://example.com',
    'data:text/html,hello',
    'ftp://example.com',
    'https://',
    'https://two words.example',
    'example.com',
    '',
  ])('%j may not', (website) => {
    expect(isWebsite(website)).toBe(false)
  })

  test.each([' javascript:alert(1)', 'javascript:1', 'data:,1', 'vbscript:x', '//javascript:alert(1)'])(
    '%j never becomes a link that runs',
    (typed) => {
      const website = withScheme(typed)
      if (isWebsite(website)) expect(new URL(website).protocol).toBe('https:')
    },
  )
})
