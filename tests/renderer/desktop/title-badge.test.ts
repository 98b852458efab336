import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { badgedTitle, createTitleBadge } from '#/renderer/features/desktop/title-badge'

test('DESK-04 in a browser the tab’s title has the unread count, and none at zero', () => {
  expect(badgedTitle('Messages · Vignette', 3)).toBe('(3) Messages · Vignette')
  expect(badgedTitle('(3) Messages · Vignette', 12)).toBe('(9+) Messages · Vignette')
  expect(badgedTitle('(9+) Messages · Vignette', 0)).toBe('Messages · Vignette')
})

test('a new badge replaces the previous one', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), (first, second) => {
      expect(badgedTitle(badgedTitle('mara · Vignette', first), second)).toBe(
        badgedTitle('mara · Vignette', second),
      )
    }),
  )
})

describe('the title of a page', () => {
  /** Most titles that a test may set: a title that is set again and again would never end. */
  const TITLES_MAX = 20
  let titles: string[]
  let observe: () => void
  let isReported: boolean

  beforeEach(() => {
    titles = ['mara · Vignette']
    isReported = true
    observe = () => undefined
    vi.stubGlobal(
      'MutationObserver',
      class {
        constructor(report: () => void) {
          observe = () => {
            while (!isReported) {
              isReported = true
              report()
            }
          }
        }
        observe() {}
      },
    )
    vi.stubGlobal('document', {
      head: {},
      get title() {
        return titles.at(-1)?.trim() ?? ''
      },
      set title(title: string) {
        titles.push(title)
        if (titles.length > TITLES_MAX) throw new Error('The title is set again and again')
        isReported = false
      },
    })
  })

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('gets the count, and after navigation the new title does', () => {
    const show = createTitleBadge()
    show(3)
    observe()
    expect(titles.slice(1)).toEqual(['(3) mara · Vignette'])
    document.title = ' Messages · Vignette '
    observe()
    expect(document.title).toBe('(3) Messages · Vignette')
    show(0)
    observe()
    expect(document.title).toBe('Messages · Vignette')
  })

  test.each<[string, unknown]>([
    ['an object', {}],
    ['a list', [7]],
    ['a text', '7'],
    ['not a number', Number.NaN],
    ['endless', Number.POSITIVE_INFINITY],
    ['negative', -1],
    ['a fraction', 1.5],
    ['missing', undefined],
  ])('stays as it is while the count is %s', (_, count) => {
    const show = createTitleBadge()
    show(count as number)
    observe()
    document.title = 'Messages · Vignette'
    observe()
    expect(document.title).toBe('Messages · Vignette')
    show(2)
    observe()
    expect(document.title).toBe('(2) Messages · Vignette')
  })
})
