import type { Page } from '@playwright/test'
import { longStep } from './support/long-step'
import { insertPhotoPost } from './support/photo-posts'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

/** Texts that are drawn smaller than this, as `size: text`. */
function smallTexts(page: Page, least: number): Promise<string[]> {
  return page.evaluate((limit) => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      if (element === null || node.textContent?.trim() === '') continue
      if (element.closest('script, style, noscript') !== null || !element.checkVisibility()) continue
      const size = Number.parseFloat(getComputedStyle(element).fontSize)
      if (size < limit) found.push(`${size}: ${node.textContent}`)
    }
    return found
  }, least)
}

test('SET-06 the text size of the settings scales all texts, is kept, and no text is below 12.5 px', {
  tag: '@steps',
}, async ({ page, context, member, other }) => {
  await insertPosts(other, 2)
  await insertPhotoPost(other, [{ size: [300, 200], altText: 'A boat' }])
  await page.goto('/settings')
  const sizes = page.getByRole('radiogroup', { name: 'Text size' })
  await expect(sizes.getByRole('radio', { name: '100 %' })).toBeChecked()
  const heading = page.getByRole('heading', { name: 'Appearance' })
  await expect(heading).toHaveCSS('font-size', '15px')

  const second = await context.newPage()
  await second.goto('/')
  const tab = second.getByRole('tab', { name: 'Everyone' })
  await expect(tab).toHaveCSS('font-size', '14px')
  await sizes.getByRole('radio', { name: '130 %' }).click()
  await expect(heading).toHaveCSS('font-size', '19.5px')
  // Also in the member's other windows, and after a reload.
  await expect(tab).toHaveCSS('font-size', '18.2px')
  await second.reload()
  await expect(tab).toHaveCSS('font-size', '18.2px')
  const expectWidth = async (width: number) => {
    await second.setViewportSize({ width, height: 800 })
    const scrollWidth = () => second.evaluate(() => document.documentElement.scrollWidth)
    await expect.poll(scrollWidth).toBe(width)
  }
  await expectWidth(360)
  await longStep('in wider windows', async () => {
    for (const width of [900, 1280, 1600]) await expectWidth(width)
  })

  await sizes.getByRole('radio', { name: '90 %' }).click()
  await expect(heading).toHaveCSS('font-size', '13.5px')
  await second.close()
  const expectReadable = async (route: string) => {
    await page.goto(route)
    await expect(page.getByRole('main')).toBeVisible()
    // A list with more pages goes on showing that it loads.
    await page.waitForLoadState('networkidle')
    expect(await smallTexts(page, 12.5), route).toEqual([])
  }
  await expectReadable('/')
  await longStep('on other screens', async () => {
    for (const route of [`/profile/${member.username}`, '/?explore', '/create', '/messages', '/settings'])
      await expectReadable(route)
  })
})
