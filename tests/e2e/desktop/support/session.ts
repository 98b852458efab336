import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Desktop, expect } from './test'

const KEY = 'vignette.session.embedded'

/** How the member's session is stored: encrypted, as plain text, or not at all. */
export async function storedSession({ userData }: Desktop): Promise<string> {
  const text = await readFile(join(userData, 'sessions.json'), 'utf8').catch(() => '{"entries":{}}')
  const { entries }: { entries: Record<string, { kind: string }> } = JSON.parse(text)
  return entries[KEY]?.kind ?? 'none'
}

export async function persistence(page: Page) {
  return page.evaluate(() => window.desktop?.session.persistence())
}

/** Without a keychain the app asks the member, who can accept and stay signed in. */
export async function staySignedIn(page: Page): Promise<void> {
  if ((await persistence(page)) !== 'memory') return
  await expect(page.getByText('This system offers no keychain')).toBeVisible()
  await page.getByRole('button', { name: 'Keep me signed in anyway' }).click()
  await expect(page.getByText('This system offers no keychain')).toBeHidden()
}
