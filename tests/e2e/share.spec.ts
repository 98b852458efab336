import type { Locator, Page } from '@playwright/test'
import { addStory, viewer } from './fixtures/stories'
import { startConversation, write } from './support/conversations'
import { longStep } from './support/long-step'
import { message, rows } from './support/messages-page'
import { failRequests, holdAnswers, liveSwitch } from './support/network'
import { dataUrl, noisePng } from './support/png'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'
import { visit } from './support/visit'

const TITLES = { post: 'Share post', story: 'Share story', profile: 'Share profile' }

const dialog = (page: Page, kind: keyof typeof TITLES) => page.getByRole('dialog', { name: TITLES[kind] })

const openShare = (page: Page) => page.getByRole('button', { name: 'Share', exact: true }).last().click()

test('FEED-17 a post is copied as a link and sent as a card that opens it, and shows nothing of a private post', {
  tag: ['@steps', '@smoke'],
}, async ({ page, member, other, newMember, openAs }) => {
  const [author, friend] = await Promise.all([newMember(), newMember()])
  const hidden = (await insertPosts(author, 1, { thumbnailBytes: 900, content: () => 'Behind the dunes' }))[0]
  await member.api.from('follows').insert({ follower_id: member.id, following_id: author.id }).throwOnError()
  await author.api.from('profiles').update({ is_private: true }).eq('id', author.id).throwOnError()
  await longStep('without a conversation the dialog says to search', async () => {
    const theirOwn = await openAs(author)
    await theirOwn.goto(`/?post=${hidden}`)
    await openShare(theirOwn)
    const group = dialog(theirOwn, 'post').getByRole('group', { name: 'Send to' })
    await expect(group.getByText('Search for someone to send it to.')).toBeVisible()
  })
  const [open = ''] = await insertPosts(friend, 1, { content: () => 'Low tide at the pier' })
  const conversation = await startConversation(member, other)
  await write(member, conversation, 'Hello')

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/?post=${hidden}`)
  await expect(page.getByRole('dialog', { name: `Post by ${author.username}` })).toBeVisible()
  await openShare(page)
  await dialog(page, 'post').getByRole('button', { name: 'Copy link' }).click()
  await expect(dialog(page, 'post').getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${new URL(page.url()).origin}/?post=${hidden}`,
  )
  await expect(dialog(page, 'post').getByRole('button', { name: 'Send' })).toBeDisabled()
  await dialog(page, 'post').getByRole('checkbox', { name: other.username }).check()
  await dialog(page, 'post').getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Sent.', { exact: true })).toBeVisible()
  await expect(dialog(page, 'post')).toHaveCount(0)

  // To the same conversation and to a member without one, who is found by search.
  await visit(page, `/?post=${open}`)
  await expect(page.getByRole('dialog', { name: `Post by ${friend.username}` })).toBeVisible()
  await openShare(page)
  await dialog(page, 'post').getByRole('checkbox', { name: other.username }).check()
  await dialog(page, 'post').getByRole('searchbox', { name: 'Search users...' }).fill(friend.username)
  await dialog(page, 'post').getByRole('checkbox', { name: friend.username }).check()
  await dialog(page, 'post').getByLabel('Message (optional)').fill('For your wall')
  await dialog(page, 'post').getByRole('button', { name: 'Send to 2' }).click()
  await expect(dialog(page, 'post')).toHaveCount(0)

  const theirs = await openAs(other)
  await theirs.goto(`/messages?c=${conversation}`)
  await expect(theirs.getByText('This post is not available.')).toBeVisible()
  await expect(theirs.getByText(author.username)).toHaveCount(0)
  await expect(theirs.getByText('Behind the dunes')).toHaveCount(0)
  await expect(rows(theirs).first()).toContainText('For your wall')
  const card = message(theirs, 'For your wall').getByRole('link', { name: 'Open the post' })
  await expect(card).toContainText(friend.username)
  await expect(card).toContainText('Low tide at the pier')
  await card.click()
  await expect(theirs.getByRole('dialog', { name: `Post by ${friend.username}` })).toBeVisible()
  await theirs.keyboard.press('Escape')

  await friend.api.rpc('delete_posts', { ids: [open] }).throwOnError()
  await expect(message(theirs, 'For your wall')).toContainText('This post is no longer available.')
  const { data } = await friend.api.from('messages').select('sender_id,content,shared_kind,shared_post_id')
  expect(data).toEqual([
    { sender_id: member.id, content: 'For your wall', shared_kind: 'post', shared_post_id: null },
  ])
})

test('FEED-17 MSG-09 stories and profiles are shared too, a card waits for the connection, and what was not sent stays chosen', {
  tag: '@long',
}, async ({ page, member, other, newMember, problems }) => {
  const author = await newMember({ fullName: 'Ines Duarte' })
  const story = await addStory(author, { content: 'Low tide' })
  const conversation = await startConversation(member, other)
  await write(member, conversation, 'Hello')
  const live = await liveSwitch(page)
  await page.goto(`/?story=${story}`)
  await expect(viewer(page, author.username)).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await openShare(page)
  problems.expect(/copy link: /)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('Not focused', 'NotAllowedError'))
  })
  await dialog(page, 'story').getByRole('button', { name: 'Copy link' }).click()
  await expect(dialog(page, 'story').getByText('The link could not be copied.')).toBeVisible()
  await dialog(page, 'story').getByRole('checkbox', { name: other.username }).check()
  await dialog(page, 'story').getByRole('button', { name: 'Send' }).click()
  await expect(dialog(page, 'story')).toHaveCount(0)
  await expect(viewer(page, author.username)).toBeVisible()
  await page.keyboard.press('Escape')

  await visit(page, `/profile/${author.username}`)
  await expect(page.getByRole('heading', { name: author.username })).toBeVisible()
  await openShare(page)
  const sharing = dialog(page, 'profile')
  await sharing.getByRole('checkbox', { name: other.username }).check()
  await sharing.getByRole('searchbox').fill(author.username)
  await sharing.getByRole('checkbox', { name: author.username }).check()
  // A conversation that does not exist yet cannot wait in the outbox.
  problems.expect(/rest\/v1\/conversations/, /share: offline/)
  const undo = await failRequests(page, /\/rest\/v1\/conversations/, { method: 'POST' })
  await sharing.getByRole('button', { name: 'Send to 2' }).click()
  await expect(sharing.getByRole('alert')).toContainText(`Not sent to ${author.username}.`)
  await expect(sharing.getByRole('checkbox')).toHaveCount(1)
  await expect(sharing.getByRole('checkbox', { name: author.username })).toBeChecked()
  await undo()
  await sharing.getByRole('button', { name: 'Send' }).click()
  await expect(sharing).toHaveCount(0)

  await visit(page, `/messages?c=${conversation}`)
  await expect(page.getByRole('article').getByRole('link', { name: 'Open the story' })).toContainText(
    author.username,
  )
  await expect(page.getByRole('article').getByRole('link', { name: /Ines Duarte/ })).toHaveAttribute(
    'href',
    `/profile/${author.username}`,
  )
  await expect(rows(page).filter({ hasText: other.username })).toContainText('You sent a profile')

  await visit(page, `/profile/${author.username}`)
  await openShare(page)
  await expect(sharing.getByRole('checkbox', { name: other.username })).toBeVisible()
  live.cut()
  await expect(page.getByRole('button', { name: 'Try now', includeHidden: true })).toBeVisible()
  await sharing.getByRole('checkbox', { name: other.username }).check()
  await sharing.getByLabel('Message (optional)').fill('Follow her')
  await sharing.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Sent as soon as the connection is back.')).toBeVisible()
  await visit(page, `/messages?c=${conversation}`)
  await expect(message(page, 'Follow her')).toContainText('Waiting for the connection…')
  await live.restore()
  await expect(message(page, 'Follow her')).toContainText('less than a minute ago')
  await expect(message(page, 'Follow her').getByRole('link')).toContainText('Ines Duarte')

  await author.api.rpc('block_members', { ids: [member.id] }).throwOnError()
  await page.reload()
  await expect(message(page, 'Follow her')).toContainText('This profile is not available.')
  await expect(page.getByRole('article').getByText('Story no longer available')).toBeVisible()
  await expect(page.getByRole('article').getByText(author.username)).toHaveCount(0)
})

test('FEED-17 MSG-11 a card is as high while it loads as with its post, and the menu of a message opens although it moves', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const [author, hidden] = await Promise.all([newMember(), newMember()])
  const [text = ''] = await insertPosts(author, 1, { content: () => 'Low tide at the pier' })
  const [picture = ''] = await insertPosts(author, 1, { thumbnailBytes: 900, content: () => 'Two\nlines' })
  const [secret = ''] = await insertPosts(hidden, 1)
  const conversation = await startConversation(author, member)
  await write(author, conversation, 'Look at these')
  for (const shared_post_id of [text, picture, secret])
    await author.api
      .from('messages')
      .insert({ conversation_id: conversation, sender_id: author.id, content: '', shared_post_id })
      .throwOnError()
  await hidden.api.from('profiles').update({ is_private: true }).eq('id', hidden.id).throwOnError()
  const held = await holdAnswers(page, /\/rest\/v1\/posts\?/)
  await page.goto(`/messages?c=${conversation}`)
  const cards = page.getByRole('link', { name: 'Open the post' })
  await expect(cards).toHaveCount(3)
  const heights = () => cards.evaluateAll((all) => all.slice(0, 2).map((card) => card.clientHeight))
  const whileLoading = await heights()
  await message(page, 'Look at these').getByRole('button', { name: 'Message options' }).hover()
  await page.mouse.down()
  await held.release()
  await expect(page.getByText('This post is not available.')).toBeVisible()
  await expect(cards).toContainText(['Low tide at the pier', 'Two'])
  expect(await heights()).toEqual(whileLoading)
  await page.mouse.up()
  await page.getByRole('menuitem', { name: 'Forward' }).click()
  await expect(page.getByRole('dialog', { name: 'Forward message' })).toBeVisible()
})

test('MSG-14 a text, a photo and a card are forwarded, and the photo is a copy of the sender', {
  tag: '@long',
}, async ({ page, member, other, newMember, openAs }) => {
  const author = await newMember()
  const [post = ''] = await insertPosts(author, 1, { content: () => 'Low tide at the pier' })
  const [from, to] = [await startConversation(author, member), await startConversation(member, other)]
  await write(member, to, 'Hello')
  const about = { conversation_id: from, sender_id: author.id }
  const photo = { id: crypto.randomUUID(), ...about, image_url: dataUrl(noisePng(24, 1)) }
  await author.api.from('message_media').insert(photo).throwOnError()
  const size = { thumbnail_url: photo.image_url, image_width: 24, image_height: 24 }
  await author.api
    .from('messages')
    .insert({ ...about, content: 'The proof', media_id: photo.id, ...size })
    .throwOnError()
  await author.api
    .from('messages')
    .insert({ ...about, content: '', shared_post_id: post })
    .throwOnError()

  await page.goto(`/messages?c=${from}`)
  const forward = async (article: Locator) => {
    await article.getByRole('button', { name: 'Message options' }).click()
    await page.getByRole('menuitem', { name: 'Forward' }).click()
    const sending = page.getByRole('dialog', { name: 'Forward message' })
    await sending.getByRole('checkbox', { name: other.username }).check()
    await sending.getByRole('button', { name: 'Send' }).click()
    await expect(sending).toHaveCount(0)
  }
  await forward(message(page, 'The proof'))
  await forward(page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Open the post' }) }))

  const theirs = await openAs(other)
  await theirs.goto(`/messages?c=${to}`)
  await expect(message(theirs, 'The proof')).toContainText('Forwarded')
  await expect(
    message(theirs, 'The proof').getByRole('img', { name: `Photo from ${member.username}` }),
  ).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Open the post' })).toContainText('Low tide at the pier')
  const { data: copies } = await other.api
    .from('message_media')
    .select('id,sender_id,media_path')
    .throwOnError()
  expect(copies).toHaveLength(1)
  expect(copies[0]).toMatchObject({ sender_id: member.id })
  expect(copies[0]?.id).not.toBe(photo.id)
  expect(copies[0]?.media_path).toMatch(new RegExp(`^${member.id}/`))
})
