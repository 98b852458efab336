import { describe, expect, test } from 'vitest'
import { isWebsite, websiteLink, withScheme } from '#/renderer/features/profile/website'

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
  ])('adds the scheme: %j becomes %j', (typed, website) => {
    expect(withScheme(typed)).toBe(website)
  })

  test.each([
    'https://example.com',
    'http://localhost:3000/a',
    'HTTPS://Example.com',
    'https://bücher.example',
  ])('accepts %s', (website) => {
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
  ])('rejects %j', (website) => {
    expect(isWebsite(website)).toBe(false)
  })

  test.each([' javascript:alert(1)', 'javascript:1', 'data:,1', 'vbscript:x', '//javascript:alert(1)'])(
    'adding a scheme never turns %j into a script link',
    (typed) => {
      const website = withScheme(typed)
      if (isWebsite(website)) expect(new URL(website).protocol).toBe('https:')
    },
  )
})

test.each([
  ['https://example.com', 'example.com'],
  ['http://example.com/', 'example.com'],
  ['HTTPS://Example.com/mara/', 'Example.com/mara/'],
  ['https://example.com/?next=https://example.org', 'example.com/?next=https://example.org'],
])('PROF-02 the website %s shows as %s', (url, label) => {
  expect(websiteLink(url)).toEqual({ url, label })
})

test('ACC-04 a website shows the host that it leads to, and is no link if it is disguised', () => {
  expect(websiteLink('https://аррӏе.com/')).toEqual({
    url: 'https://xn--80ak6aa92e.com/',
    label: 'xn--80ak6aa92e.com',
  })
  expect(websiteLink('https://google.com@example.com')).toBeNull()
  expect(websiteLink('https://exam\u200eple.com')).toBeNull()
})
