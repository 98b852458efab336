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
    ['/?explore', 'Explore · Vignette'],
    ['/?tag=fog', '#fog · Vignette'],
    ['/?place=Lower+Weir', 'Lower Weir · Vignette'],
    ['/settings?tag=fog', 'Settings · Vignette'],
  ])('on %s', (path, title) => {
    const [pathname = '', search] = path.split('?')
    expect(pageTitle(pathname, search)).toBe(title)
  })
})
