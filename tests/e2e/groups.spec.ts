import { violations } from './support/axe'
import { startConversation, write } from './support/conversations'
import { startGroups } from './support/groups'
import { longStep } from './support/long-step'
import { createMember, plantSession } from './support/member'
import { field, message, messagesLink, rows } from './support/messages-page'
import { expect, test } from './support/test'

test('MSG-01 MSG-05 MSG-07 SAFE-01 a group of three: list, badge, live messages, and its end while it is open', {
  tag: '@steps',
}, async ({ context, openAs, ownServer, page }) => {
  const groups = await startGroups(ownServer)
  const [member, ben, cleo] = await Promise.all([1, 2, 3].map(() => createMember(ownServer.info)))
  if (member === undefined || ben === undefined || cleo === undefined) throw new Error('no members')
  const id = await groups.make('Harbour', ben, cleo, member)
  await groups.picture(id, cleo)
  await write(ben, await startConversation(ben, member), 'A pair')
  await write(cleo, id, 'Who is there?')

  await plantSession(context, ownServer.url, member)
  await page.goto(ownServer.url)
  await expect(messagesLink(page)).toHaveAccessibleName('Messages, 2 unread')
  await messagesLink(page).click()
  await expect(rows(page).first()).toContainText(`Harbour${cleo.username}: Who is there?`)
  await expect(rows(page).first()).toContainText('Unread')
  await expect(rows(page).first().locator('img')).not.toHaveJSProperty('naturalWidth', 0)

  await test.step('a message of another member moves the group, which is not open', async () => {
    await write(ben, id, 'I am')
    await expect(rows(page).first()).toContainText(`Harbour${ben.username}: I am`)
  })

  await rows(page).first().getByRole('link').click()
  const group = page.getByRole('region', { name: 'Group Harbour' })
  await expect(group.getByRole('heading', { name: 'Harbour' })).toBeVisible()
  await expect(group.getByRole('link', { name: cleo.username })).toBeVisible()
  await expect(group.getByRole('link', { name: ben.username })).toBeVisible()
  await expect(messagesLink(page)).toHaveAccessibleName('Messages, 1 unread')
  await expect(rows(page).first()).not.toContainText('Unread')

  // ACC-01: a conversation of two is checked in npm test (accessibility.spec).
  await longStep('it has no accessibility violations', async () => {
    for (const scheme of ['light', 'dark'] as const) expect(await violations(page, scheme)).toEqual([])
  })

  const bens = await openAs(ben)
  await bens.goto(`${ownServer.url}/messages?c=${id}`)
  await expect(message(bens, 'I am')).toBeVisible()
  await field(page).fill('Me too')
  await page.keyboard.press('Enter')
  await expect(message(bens, 'Me too')).toBeVisible()
  await field(bens).fill('Then we are three')
  await bens.keyboard.press('Enter')
  await expect(message(page, 'Then we are three')).toBeVisible()

  await groups.put(id, member, 'removed')
  await expect(group.getByText('You are no longer in this group.')).toBeVisible()
  await expect(field(page)).toBeHidden()
  await expect(rows(page).filter({ hasText: 'Harbour' })).toHaveCount(0)
  // The others listen on, in the channel of the next epoch.
  await write(cleo, id, 'Two now')
  await expect(message(bens, 'Two now')).toBeVisible()
  await expect(message(page, 'Two now')).toHaveCount(0)

  await groups.put(id, member, 'in')
  await expect(rows(page).filter({ hasText: 'Harbour' })).toHaveCount(1)
})
