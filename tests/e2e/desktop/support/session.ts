import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Desktop, expect } from './test'

const KEY = 'vignette.session.embedded'

/** The member's session as it is on disk: sealed by the keychain, in plain text, or not at all. */
export async function storedSession({ userData }: Desktop): Promise<string> {
  const text = await readFile(join(userData, 'sessions.json'), 'utf8').catch(() => '{"entries":{}}')
  const { entries }: { entries: Record<string, { kind: string }> } = JSON.parse(text)
  return entries[KEY]?.kind ?? 'none'
}

export async function persistence(page: Page) {
  return page.evaluate(() => window.desktop?.session.persistence())
}

/** Where there is no keychain the member is told, and may stay signed in all the same. */
export async function staySignedIn(page: Page): Promise<void> {
  if ((await persistence(page)) !== 'memory') return
  await expect(page.getByText('This system offers no keychain')).toBeVisible()
  await page.getByRole('button', { name: 'Keep me signed in anyway' }).click()
  await expect(page.getByText('This system offers no keychain')).toBeHidden()
}
