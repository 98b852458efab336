import { startConversation, write } from './support/conversations'
import { conversation, message, rows } from './support/messages-page'
import { holdRequests } from './support/network'
import { expect, test } from './support/test'

test('MSG-14 a search finds messages in all conversations and in one, and opens an old one where it is', async ({
  page,
  member,
  other,
  newMember,
}) => {
  const friend = await newMember()
  const withOther = await startConversation(other, member)
  await write(other, withOther, 'The lighthouse keeper has the key')
  const about = { conversation_id: withOther, sender_id: other.id }
  for (const part of [0, 1, 2])
    await other.api
      .from('messages')
      .insert(Array.from({ length: 50 }, (_, n) => ({ ...about, content: `Line ${part * 50 + n}` })))
      .throwOnError()
  const withFriend = await startConversation(member, friend)
  await write(member, withFriend, 'Is the LIGHTHOUSE open?')

  await page.goto('/messages')
  await expect(rows(page)).toHaveCount(2)
  const search = page.getByRole('searchbox', { name: 'Search messages' })
  await search.fill('l')
  await expect(rows(page)).toHaveCount(2)
  await search.fill('lighthouse')
  const found = page.getByRole('list', { name: 'Found messages' }).getByRole('link')
  await expect(found).toContainText([
    `${friend.username}nowYou: Is the LIGHTHOUSE open?`,
    `${other.username}nowThe lighthouse keeper has the key`,
  ])
  await expect(page.getByRole('status').getByText('2 messages found')).toBeAttached()
  await found.nth(1).click()
  await expect(conversation(page, other)).toBeVisible()
  await expect(message(page, 'The lighthouse keeper')).toBeInViewport()

  await search.press('Escape')
  await expect(rows(page)).toHaveCount(2)
  const held = await holdRequests(page, /rpc\/search_messages/)
  await search.fill('nobody wrote this')
  await held.arrived
  await expect(page.getByRole('status').getByText('Searching…')).toBeAttached()
  await held.release()
  await expect(page.getByText('No messages found.')).toBeVisible()

  await page.getByRole('button', { name: 'Search in conversation' }).click()
  const dialog = page.getByRole('dialog', { name: `Messages with ${other.username}` })
  await expect(dialog.getByText('Type at least two characters.')).toBeVisible()
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  await dialog.getByRole('searchbox').fill('line 14')
  const lines = dialog.getByRole('list', { name: 'Found messages' }).getByRole('link')
  await expect(lines).toHaveCount(11)
  await dialog.getByRole('searchbox').fill('line 149')
  await expect(lines).toHaveCount(1)
  await lines.click()
  await expect(dialog).toHaveCount(0)
  await expect(message(page, 'Line 149')).toBeInViewport()
})
