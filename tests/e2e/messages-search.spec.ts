import { startConversation, write } from './support/conversations'
import { readDisk } from './support/disk-cache'
import type { Member } from './support/member'
import { conversation, field, message, rows } from './support/messages-page'
import { holdRequests } from './support/network'
import { expect, test } from './support/test'

/**
 * Writes the messages 'Line 0.', 'Line 1.' and so on; `count` is a multiple of 50. Those of one request have the same time, and
 * their ids order them. Returns the id of a line by its number.
 */
async function writeLines(author: Member, conversationId: string, count: number) {
  const start = crypto.randomUUID().slice(0, 8)
  const idOf = (line: number) => `${start}-0000-4000-8000-${String(line).padStart(12, '0')}`
  const lineAt = (line: number) => ({
    id: idOf(line),
    conversation_id: conversationId,
    sender_id: author.id,
    content: `Line ${line}.`,
  })
  for (let first = 0; first < count; first += 50)
    await author.api
      .from('messages')
      .insert(Array.from({ length: 50 }, (_, n) => lineAt(first + n)))
      .throwOnError()
  return idOf
}

test('MSG-14 a search finds messages in all conversations and in one, and opens an old one where it is', {
  tag: '@smoke',
}, async ({ page, member, other, newMember }) => {
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

test('MSG-14 a found message opens with those around it, and the others load in both directions', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const id = await startConversation(other, member)
  const idOf = await writeLines(other, id, 300)
  await member.api.from('messages').update({ read: true }).eq('recipient_id', member.id).throwOnError()
  const wanted = `/messages?c=${id}&message=${idOf(75)}`
  const line = (number: number) => message(page, `Line ${number}.`)
  await page.goto(`/messages?c=${id}`)
  await expect(line(299)).toBeInViewport()
  await page.getByRole('button', { name: 'Search in conversation' }).click()
  await page.getByRole('dialog').getByRole('searchbox').fill('line 75.')
  await page.getByRole('list', { name: 'Found messages' }).getByRole('link').click()
  await expect(line(75)).toBeInViewport()
  await expect(line(299)).toHaveCount(0)

  // Down through all of them, without a jump to the newest ones, until they are reached.
  const log = page.getByRole('log')
  await log.hover()
  const down = async (number: number) =>
    expect(async () => {
      await page.mouse.wheel(0, 400)
      await expect(line(number)).toBeInViewport({ timeout: 200 })
    }).toPass({ intervals: [20] })
  const held = await holdRequests(page, /messages\?.*created_at=gte/)
  await expect(async () => {
    await page.mouse.wheel(0, 400)
    await expect(page.getByRole('status', { name: 'Loading later messages' })).toBeVisible({ timeout: 200 })
  }).toPass({ intervals: [20] })
  await held.release()
  await down(130)
  await test.step('the member scrolls down to the newest message and reads a new one', async () => {
    for (const number of [190, 230, 270, 299]) await down(number)
    await expect(page.getByRole('button', { name: 'To the latest messages' })).toHaveCount(0)
    await write(other, id, 'One more')
    await expect(message(page, 'One more')).toBeInViewport()
    const isRead = async () =>
      (await member.api.from('messages').select('read').eq('content', 'One more').single()).data?.read
    await expect.poll(isRead).toBe(true)
  })

  await test.step('a message that was read on another device meanwhile is not new', async () => {
    const toLatest = page.getByRole('button', { name: /^To the latest messages/ })
    await page.goto('/settings')
    await write(other, id, 'While you were away')
    await member.api
      .from('messages')
      .update({ read: true })
      .eq('content', 'While you were away')
      .throwOnError()
    await page.goto(wanted)
    await expect(rows(page)).toContainText(['While you were away'])
    await expect(toLatest).toHaveAccessibleName('To the latest messages')
  })

  // A link opens one further up; the button leads back.
  await page.goto(wanted)
  await expect(line(75)).toBeInViewport()
  await write(other, id, 'While you were reading')
  await expect(page.getByRole('button', { name: 'To the latest messages, 1 new' })).toBeVisible()
  await expect(line(75)).toBeInViewport()
  await page.getByRole('button', { name: 'To the latest messages, 1 new' }).click()
  await expect(message(page, 'While you were reading')).toBeInViewport()
  await test.step('so does an own message', async () => {
    await page.goto(wanted)
    await expect(line(75)).toBeInViewport()
    await field(page).fill('An answer')
    await field(page).press('Enter')
    await expect(message(page, 'An answer')).toBeInViewport()
    await expect(message(page, 'An answer')).toContainText('Sent')
    await expect(line(75)).toHaveCount(0)
  })
  await test.step('up to the first message', async () => {
    await page.goto(wanted)
    await expect(line(75)).toBeInViewport()
    await log.hover()
    await expect(async () => {
      await page.mouse.wheel(0, -2_000)
      await expect(line(0)).toBeInViewport({ timeout: 200 })
    }).toPass({ intervals: [20] })
  })
  await test.step('a message that does not exist leaves the newest ones on screen', async () => {
    await page.goto(`/messages?c=${id}&message=${crypto.randomUUID()}`)
    await expect(message(page, 'An answer')).toBeInViewport()
  })
})

test('MSG-12 MSG-14 a conversation opens at its newest messages after it was left at a found one, also after a restart', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const id = await startConversation(other, member)
  await writeLines(other, id, 200)
  await member.api.from('messages').update({ read: true }).eq('recipient_id', member.id).throwOnError()
  await write(other, id, 'The newest')
  const first = message(page, 'Line 5.')
  const openFirst = async () => {
    await page.getByRole('button', { name: 'Search in conversation' }).click()
    await page.getByRole('dialog').getByRole('searchbox').fill('line 5.')
    await page.getByRole('list', { name: 'Found messages' }).getByRole('link').click()
  }

  await test.step('closed while the messages around it are loaded', async () => {
    await page.goto(`/messages?c=${id}`)
    await expect(message(page, 'The newest')).toBeInViewport()
    const around = /messages\?.*created_at=gte/
    const held = await holdRequests(page, around)
    const answered = page.waitForResponse(around)
    await openFirst()
    await held.arrived
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await expect(page.getByRole('log')).toHaveCount(0)
    await held.release()
    await answered
    await page
      .getByRole('link', { name: /^Messages/ })
      .first()
      .click()
    await rows(page).first().click()
    await expect(message(page, 'The newest')).toBeInViewport()
    await expect(first).toHaveCount(0)
  })

  await test.step('the app is restarted', async () => {
    await openFirst()
    await expect(first).toBeInViewport()
    await write(other, id, 'Meanwhile')
    const stored = async () => JSON.stringify((await readDisk(page))[`["messages","${id}"]`])
    await expect.poll(stored).toContain('Meanwhile')
    await page.goto(`/messages?c=${id}`)
    await expect(message(page, 'Meanwhile')).toBeInViewport()
    await expect(first).toHaveCount(0)
  })
})
