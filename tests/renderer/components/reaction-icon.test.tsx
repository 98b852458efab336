import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ReactionIcon } from '#/renderer/components/ReactionIcon'
import { REACTIONS } from '#/shared/limits'

test('MSG-11 each reaction is drawn without an emoji font', () => {
  const drawings = REACTIONS.map((emoji) =>
    renderToStaticMarkup(<ReactionIcon emoji={emoji} className="size-6" />),
  )
  expect(new Set(drawings).size).toBe(REACTIONS.length)
  for (const drawing of drawings) expect(drawing).toMatch(/^<svg viewBox="0 0 24 24" aria-hidden="true"/)
})

test('MSG-11 an unknown reaction is its character, also if every object has a property of that name', () => {
  expect(renderToStaticMarkup(<ReactionIcon emoji="__proto__" className="size-6" />)).toBe(
    '<span aria-hidden="true">__proto__</span>',
  )
  expect(renderToStaticMarkup(<ReactionIcon emoji="🎞️" className="size-6" />)).toBe(
    '<span aria-hidden="true">🎞️</span>',
  )
})
