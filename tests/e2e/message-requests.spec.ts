import type { Page } from '@playwright/test'
import { addStory, bubble, showStoriesOf, viewer } from './fixtures/stories'
import { startConversation, startRequest, write } from './support/conversations'
import { conversation, field, message, messagesLink, rows } from './support/messages-page'
import { expect, type Member, test } from './support/test'

function entry(page: Page, name: string | RegExp) {
  return page
    .getByRole('navigation', { name: 'Other conversations' })
    .getByRole('link', { name, exact: true })
}

/** The focus is on an element of the page, not on its body. */
async function expectFocus(page: Page): Promise<void> {
  await expect(page.locator(':focus')).toHaveCount(1)
}

async function choose(page: Page, other: Member, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${other.username}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function contents(member: Member, id: string): Promise<unknown> {
  const { data } = await member.api.from('messages').select('content').eq('conversation_id', id)
  return data?.map(({ content }) => content)
}

test('MSG-13 messages of a stranger wait under Requests, unseen and uncounted, until they are accepted, also on other devices', {
  tag: ['@server', '@smoke'],
}, async ({ page, member, other, openAs }) => {
  const id = await startRequest(other, member)
  const theirs = await openAs(other)
  await theirs.goto(`/messages?c=${id}`)
  await page.goto('/messages')
  await expect(page.getByText('No conversations yet. Find someone to write to.')).toBeVisible()
  await field(theirs).fill('Hello from outside')
  await theirs.keyboard.press('Enter')

  await entry(page, 'Requests (1)').click()
  await expect(page).toHaveURL('/messages?requests')
  await expectFocus(page)
  await expect(page.getByRole('heading', { name: 'Requests' })).toBeVisible()
  await expect(
    page.getByText(
      'People you don’t follow wrote to you. They do not see what you have read until you accept.',
    ),
  ).toBeVisible()
  await rows(page).getByRole('link', { name: other.username }).click()
  await expect(message(page, 'Hello from outside')).toBeVisible()
  const bar = page.getByRole('region', { name: 'Message request' })
  await expect(bar).toContainText(other.username)
  await expect(bar).toContainText('wants to write to you.')
  await expect(bar).toContainText('They see that you have read their messages only if you accept or answer.')
  await expect(messagesLink(page)).toHaveAccessibleName('Messages')
  const elsewhere = await openAs(member)
  await elsewhere.goto('/messages')
  await expect(entry(elsewhere, 'Requests (1)')).toBeVisible()
  await expect(message(theirs, 'Hello from outside')).toContainText('Sent')

  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page).toHaveURL(`/messages?c=${id}`)
  await expect(field(page)).toBeFocused()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(elsewhere)).toContainText([`${other.username}Hello from outside`])
  await expect(page.getByRole('region', { name: 'Message request' })).toHaveCount(0)
  await expect(entry(elsewhere, 'Requests (1)')).toHaveCount(0)
  await expect(message(theirs, 'Hello from outside')).toContainText('Seen')
})

test('STORY-05 MSG-13 a refused reply to a story says why, and its text stays', { tag: '@long' }, async ({
  page,
  member,
  other,
  problems,
}) => {
  await addStory(other, { content: 'From the roof' })
  await other.api.from('profiles').update({ new_messages_from: 'nobody' }).eq('id', other.id).throwOnError()
  await showStoriesOf(page, [other])
  await page.goto('/')
  await bubble(page, other.username).click()
  const story = viewer(page, other.username)
  const reply = story.getByRole('textbox', { name: `Reply to ${other.username}...` })
  problems.expect(/403 .*rest\/v1\/messages/, /answer story: forbidden/)
  await reply.fill('What a view')
  await reply.press('Enter')
  await expect(story.getByRole('alert')).toHaveText(
    'This member receives messages only in conversations they already have. Your text stays here so that you can copy it.',
  )
  await expect(reply).toHaveValue('What a view')
  await expect(reply).toHaveAttribute('readonly')
  // It is still there when the story is opened again, and in no conversation.
  await page.keyboard.press('Escape')
  await expect(story).toHaveCount(0)
  await bubble(page, other.username).click()
  await expect(reply).toHaveValue('What a view')
  expect((await member.api.from('messages').select('id')).data).toEqual([])
})

test('MSG-15 a conversation is pinned, archived and deleted for its member only, on all their devices', {
  tag: ['@server', '@long'],
}, async ({ page, member, other, newMember, openAs }) => {
  const third = await newMember()
  const first = await startConversation(other, member)
  const second = await startConversation(third, member)
  await write(other, first, 'The older one')
  await write(third, second, 'The newer one')
  const elsewhere = await openAs(member)
  await elsewhere.goto('/messages')
  await page.goto('/messages')
  const names = (reader: Page) => rows(reader).getByRole('link')
  await expect(names(page)).toContainText([third.username, other.username])
  await choose(page, other, 'Pin')
  await expect(names(page)).toContainText([other.username, third.username])
  await expect(names(elsewhere)).toContainText([other.username, third.username])
  await choose(page, third, 'Archive')
  await expect(entry(page, 'Archived')).toBeVisible()
  await expect(names(elsewhere)).toHaveCount(1)
  await write(third, second, 'Back again')
  await expect(rows(page)).toContainText([other.username, `${third.username}Back again`])
  await expect(entry(page, 'Archived')).toHaveCount(0)

  await choose(page, third, 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(names(page)).toHaveCount(1)
  await expect(names(elsewhere)).toHaveCount(1)
  expect(await contents(third, second)).toHaveLength(2)
  await write(third, second, 'A fresh start')
  await names(page).filter({ hasText: third.username }).click()
  await expect(conversation(page, third).getByRole('article')).toHaveCount(1)
})
