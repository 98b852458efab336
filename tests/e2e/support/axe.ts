import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { nextFrames } from './frames'

/**
 * Rules about the structure of the whole page. axe-core passes them while a modal dialog is open, behind which nothing
 * can be reached; it does not know that a modal menu is the same.
 */
const PAGE_RULES = ['landmark-one-main', 'page-has-heading-one', 'region']

/** Rules that depend on the colour scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

type Scheme = 'light' | 'dark'

/**
 * The violations that axe-core finds on the page, as `impact rule: element`; in dark mode only of rules that depend on
 * colours.
 * @param part selects the only part of the page that is checked
 */
export async function violations(page: Page, scheme: Scheme, part?: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme })
  await nextFrames(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ([onlyColours, pageRules, include]) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe }
      const isMenuOpen = document.querySelector('[role=menu]') !== null
      const rules = {
        'target-size': { enabled: true },
        ...(isMenuOpen && Object.fromEntries(pageRules.map((id) => [id, { enabled: false }]))),
      }
      const { violations: found } = await inPage.run(
        // Content behind an open menu or dialog cannot be reached, because the focus stays in the menu or dialog.
        { include: include ?? document, exclude: '[data-aria-hidden="true"]' },
        {
          resultTypes: ['violations'],
          preload: false,
          ...(onlyColours === null ? { rules } : { runOnly: onlyColours }),
        },
      )
      return found.flatMap(({ id, impact, nodes }) =>
        nodes.map(
          ({ html, any }) => `${impact} ${id}: ${html} (${any.map(({ message }) => message).join(' ')})`,
        ),
      )
    },
    [scheme === 'dark' ? COLOUR_RULES : null, PAGE_RULES, part] as const,
  )
}
