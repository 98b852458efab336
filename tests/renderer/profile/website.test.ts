import { expect, test } from 'vitest'
import { websiteLabel } from '#/renderer/features/profile/website'

test.each([
  ['https://example.com', 'example.com'],
  ['http://example.com/', 'example.com'],
  ['HTTPS://Example.com/mara/', 'Example.com/mara/'],
  ['https://example.com/?next=https://example.org', 'example.com/?next=https://example.org'],
])('PROF-02 %s shows as %s', (url, label) => {
  expect(websiteLabel(url)).toBe(label)
})
