import type { Locator, Page } from '@playwright/test'
import type { Member } from './member'

/** The open conversation with a member. */
export function conversation(page: Page, other: Member): Locator {
  return page.getByRole('region', { name: `Conversation with ${other.username}` })
}

/** The link to the messages in the navigation; its name counts the unread conversations. */
export function messagesLink(page: Page): Locator {
  return page.getByRole('navigation').getByRole('link', { name: /^Messages/ })
}

/** The conversations in the list. */
export function rows(page: Page): Locator {
  return page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
}

/** A message by its text. */
export function message(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text })
}

/** The message field. */
export function field(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Type a message...' })
}
