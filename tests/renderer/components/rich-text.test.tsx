import { expect, test, vi } from 'vitest'
import { RichText } from '#/renderer/components/RichText'
import * as richText from '#/renderer/lib/content/rich-text'
import { show } from '#tests/renderer/dom'

vi.mock('#/renderer/lib/content/rich-text', { spy: true })

function draw(text: string) {
  const { container } = show(<RichText text={text} />)
  expect(container.textContent).toBe(text)
  return {
    links: container.querySelectorAll('a').length,
    pieces: [...container.querySelectorAll('bdi')].map(({ textContent }) => textContent),
  }
}

test('ACC-04 a text that is nothing but links has at most a hundred: drawing 800 in each of its messages freezes a conversation', () => {
  expect(draw('#word '.repeat(100)).links).toBe(100)
  expect(draw('#word '.repeat(660)).links).toBe(100)
})

test('ACC-04 the parts of an address in right-to-left letters keep their places, of a very long one its first forty', () => {
  expect(draw('https://א.example/ב').pieces).toEqual(['https', '://', 'א', '.', 'example', '/', 'ב'])
  const { pieces } = draw(`https://א.example/${'ב.'.repeat(1_900)}ב`)
  expect(pieces).toHaveLength(41)
  expect(pieces.slice(0, 6)).toEqual(['https', '://', 'א', '.', 'example', '/'])
})

test('ACC-04 a text of such addresses has at most ten links', () => {
  const { links, pieces } = draw('https://א.example/ב.ב.ב.ב.ב.ב.ב.ב.ב '.repeat(100))
  expect(links).toBe(10)
  expect(pieces.length).toBeLessThan(300)
})

test('FEED-15 a text that is the same is not drawn again with its list', () => {
  const { container, rerender } = show(
    <p>
      Comments: <RichText text="#word" />
    </p>,
  )
  const drawn = vi.mocked(richText.splitRichText).mock.calls.length
  rerender(
    <p>
      More comments: <RichText text="#word" />
    </p>,
  )
  expect(container.textContent).toBe('More comments: #word')
  expect(vi.mocked(richText.splitRichText).mock.calls).toHaveLength(drawn)
})

test('MSG-03 a word or address of thousands of letters is drawn in pieces, and leads to all of it', () => {
  const word = 'AV'.repeat(900)
  const { container } = show(<RichText text={`${word} https://example.com/${word}`} />)
  const drawn = [...container.querySelectorAll('span')].filter((span) => span.children.length === 0)
  expect(drawn.length).toBeGreaterThan(70)
  expect(Math.max(...drawn.map(({ textContent }) => textContent.trim().length))).toBeLessThanOrEqual(50)
  expect(container.textContent).toBe(`${word} https://example.com/${word}`)
  expect(container.querySelector('a')?.href).toBe(`https://example.com/${word}`)
})
