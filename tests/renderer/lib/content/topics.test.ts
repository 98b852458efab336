import { describe, expect, test } from 'vitest'
import { EXPLORE_PATH, exploreRoute, hashtagPath, placePath, searchPath } from '#/renderer/lib/content/topics'

const searchOf = (path: string) => path.slice(path.indexOf('?'))

describe('FEED-16 FEED-22 the address of Explore, a hashtag, a place and a search', () => {
  test.each([
    [EXPLORE_PATH, { page: 'explore' }],
    [hashtagPath('Größe'), { page: 'hashtag', name: 'Größe' }],
    [placePath('Café & Bar, 12 %'), { page: 'place', name: 'Café & Bar, 12 %' }],
    ['/?tag=%23fog', { page: 'hashtag', name: 'fog' }],
    ['/?tag=%EF%BC%83fog', { page: 'hashtag', name: 'fog' }],
    ['/?explore&post=p', { page: 'explore' }],
    ['/?tag=fog&post=p', { page: 'hashtag', name: 'fog' }],
    [searchPath('red & blue #fog'), { page: 'search', name: 'red & blue #fog' }],
    [`/?q=%20${'a'.repeat(200)}`, { page: 'search', name: 'a'.repeat(100) }],
    ['/?q=fog&post=p', { page: 'search', name: 'fog' }],
    ['/?q=%20', null],
    ['/?tag=', null],
    ['/?place=%20', null],
    ['/?post=p', null],
    ['/?', null],
  ])('%s', (path, route) => {
    expect(exploreRoute(searchOf(path))).toEqual(route)
  })
})
