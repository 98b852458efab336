import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RAIL_QUERY, SPACIOUS_QUERY } from '#/renderer/lib/layout/layout'

test('FEED-21 CSS and the code change the layout in the same windows', () => {
  const styles = readFileSync('src/renderer/app/styles.css', 'utf8')
  expect(styles).toContain(`@custom-variant rail (@media ${RAIL_QUERY});`)
  expect(styles).toContain(`@custom-variant spacious (@media ${SPACIOUS_QUERY});`)
})
