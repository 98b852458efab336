import { describe, expect, test } from 'vitest'
import { EXPLORE_PATH, exploreRoute, hashtagPath, placePath } from '#/renderer/lib/topics'

const searchOf = (path: string) => path.slice(path.indexOf('?'))

describe('FEED-16 the address of Explore, a hashtag and a place', () => {
  test.each([
    [EXPLORE_PATH, { page: 'explore' }],
    [hashtagPath('Größe'), { page: 'hashtag', name: 'Größe' }],
    [placePath('Café & Bar, 12 %'), { page: 'place', name: 'Café & Bar, 12 %' }],
    ['/?tag=%23fog', { page: 'hashtag', name: 'fog' }],
    ['/?tag=%EF%BC%83fog', { page: 'hashtag', name: 'fog' }],
    ['/?explore&post=p', { page: 'explore' }],
    ['/?tag=fog&post=p', { page: 'hashtag', name: 'fog' }],
    ['/?tag=', null],
    ['/?place=%20', null],
    ['/?post=p', null],
    ['/?', null],
  ])('%s', (path, route) => {
    expect(exploreRoute(searchOf(path))).toEqual(route)
  })
})
