import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { logFailure } from '#/renderer/lib/core/logger'
import { clearPage, read } from '../page-without-dom'

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: vi.fn() }))

afterEach(clearPage)

const code = { Greeting: () => <p>Good morning</p> }

test('a part without which the page is usable keeps its fallback if its code cannot be loaded, until the network is back', async () => {
  const network = new EventTarget()
  vi.stubGlobal('window', network)
  const cause = new TypeError('Failed to fetch dynamically imported module: /greeting.js')
  const load = vi.fn(async () => code).mockRejectedValueOnce(cause)
  const Greeting = lazyPart(load, 'Greeting', <p>One moment</p>)
  expect(read(<Greeting />)).toContain('One moment')
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledExactlyOnceWith('load part', cause))
  expect(load).toHaveBeenCalledTimes(1)
  network.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  await vi.waitFor(() => expect(read(<Greeting />)).toContain('Good morning'))
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
