import { expect, test } from 'vitest'
import { gridPreview } from '#/renderer/features/profile/grid-preview'

test('PROF-06 a post without a picture shows its first 50 characters and three dots', () => {
  expect(gridPreview('short')).toBe('short...')
  expect(gridPreview('x'.repeat(50))).toBe(`${'x'.repeat(50)}...`)
  expect(gridPreview('x'.repeat(51))).toBe(`${'x'.repeat(50)}...`)
})

test('PROF-06 a character of two code units is never cut in half', () => {
  expect(gridPreview('🎞'.repeat(51))).toBe(`${'🎞'.repeat(50)}...`)
})
