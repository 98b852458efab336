import { describe, expect, test } from 'vitest'
import { pageTitle } from '#/renderer/app/page-title'

describe('the title of the window', () => {
  test.each([
    ['/', 'Vignette'],
    ['/settings', 'Settings · Vignette'],
    ['/profile/ada.l', 'ada.l · Vignette'],
    ['/profile/', 'Vignette'],
    ['/profile/%', '% · Vignette'],
    ['/no-such-page', 'Vignette'],
    ['/constructor', 'Vignette'],
  ])('on %s', (path, title) => {
    expect(pageTitle(path)).toBe(title)
  })
})
