import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { logFailure } from '#/renderer/lib/core/logger'
import { pageText, show } from '#tests/renderer/dom'

const code = { Greeting: () => <p>Good morning</p> }

test('a part without which the page is usable keeps its fallback if its code cannot be loaded, until the network is back', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module: /greeting.js')
  const load = vi.fn(async () => code).mockRejectedValueOnce(cause)
  const Greeting = lazyPart(load, 'Greeting', <p>One moment</p>)
  show(<Greeting />)
  expect(pageText()).toBe('One moment')
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledExactlyOnceWith('load part', cause))
  expect(load).toHaveBeenCalledTimes(1)
  expect(pageText()).toBe('One moment')
  dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(pageText()).toBe('Good morning'))
  expect(load).toHaveBeenCalledTimes(2)
})

const RENDERER = join(import.meta.dirname, '../../../src/renderer')
/** What makes the other kinds of lazy components, and what MemberLayout renders in separate boundaries. */
const THROWING = /(lazy-component|lazy-screen|lazy-contained|lazy-modals|PostModal|StoryModal)\.tsx?$/

test('code of any other part of a page that cannot be loaded does not take the page with it', () => {
  const files = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  const throwing = files.filter((name) =>
    /\blazyComponent\(/.test(readFileSync(join(RENDERER, name), 'utf8')),
  )
  expect(throwing.length).toBeGreaterThan(3)
  expect(throwing.filter((name) => !THROWING.test(name))).toEqual([])
})
