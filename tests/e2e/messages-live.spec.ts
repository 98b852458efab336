import type { Page } from '@playwright/test'
import { expectPixelsAlone, photoPath } from './fixtures/photos'
import { startConversation, write } from './support/conversations'
import { chooseFiles } from './support/files'
import { nextFrames } from './support/frames'
import { longStep } from './support/long-step'
import { mediaOf } from './support/media'
import { conversation, field, message, messagesLink, rows } from './support/messages-page'
import { failRequests, holdRequests, liveSwitch } from './support/network'
import { expect, type Member, test } from './support/test'

async function setActivityShown(member: Member, show_activity_status: boolean): Promise<void> {
  const { error } = await member.api.from('profiles').update({ show_activity_status }).eq('id', member.id)
  if (error) throw error
}

/** Opens a message's menu by its button, as the keyboard would. */
async function choose(page: Page, text: string, item: string): Promise<void> {
  await message(page, text).getByRole('button', { name: 'Message options' }).click()
  await page
    .getByRole('menu')
    .getByLabel(item)
    .or(page.getByRole('menuitem', { name: item }))
    .first()
    .click()
}

/** The stored attachments of drafts. */
function keptDrafts(page: Page): Promise<{ hasReply: boolean; hasPhoto: boolean }[]> {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('vignette.drafts')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const reading = opening.result.transaction('extras').objectStore('extras').getAll()
          opening.result.close()
          reading.onerror = () => reject(reading.error)
          reading.onsuccess = () =>
            resolve(
              reading.result.map(({ replyToId, photo }) => ({
                hasReply: replyToId !== null,
                hasPhoto: photo !== null,
              })),
            )
        }
      }),
  )
}

test('MSG-05 MSG-07 MSG-10 SET-05 two members write to each other live: badge, typing, read, active', {
  tag: ['@steps', '@server', '@smoke'],
}, async ({ page, member, other, newMember, openAs }) => {
  const stranger = await newMember()
  const id = await startConversation(other, member)
  await write(member, id, 'Good evening')
  await write(stranger, await startConversation(stranger, member), 'Hello from outside')
  await page.goto('/')
  await expect(messagesLink(page)).toHaveAccessibleName('Messages, 1 unread')
  const theirs = await openAs(other)
  await theirs.goto(`/messages?c=${id}`)
  await field(theirs).fill('Are you there?')
  await theirs.keyboard.press('Enter')
  await expect(messagesLink(page)).toHaveAccessibleName('Messages, 2 unread')
  // MSG-14: the app has the message, although nobody has opened the conversation.
  await expect(message(theirs, 'Are you there?')).toContainText('Delivered')

  await messagesLink(page).click()
  await expect(rows(page).first()).toContainText(`${other.username}Are you there?`)
  await expect(rows(page).first()).toContainText('Unread')
  await rows(page).first().getByRole('link').click()
  await expect(conversation(page, other).getByText(/^\d+ new messages?$/)).toBeVisible()
  await expect(messagesLink(page)).toHaveAccessibleName('Messages, 1 unread')
  await expect(message(theirs, 'Are you there?')).toContainText('Seen')
  await expect(conversation(page, other).getByText('Active now')).toBeVisible()
  const status = conversation(page, other)
    .getByText(/Active now$/)
    .first()
  await test.step('in the narrowest window the status is not led by a separator', async () => {
    const name = status.locator('xpath=preceding-sibling::span')
    await expect(name).toBeVisible()
    await page.setViewportSize({ width: 360, height: 700 })
    await expect(name).toBeHidden()
    await expect(status).toHaveText('Active now', { useInnerText: true })
    await page.setViewportSize({ width: 1_280, height: 860 })
  })

  await field(page).pressSequentially('Yes')
  await expect(conversation(theirs, member).getByText(`${member.username} is typing`)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(message(theirs, 'Yes')).toBeVisible()
  await expect(conversation(theirs, member).getByText(`${member.username} is typing`)).toHaveCount(0)
  // Equal messages are announced twice.
  await write(member, id, 'Yes')
  await expect(theirs.locator('[aria-live="polite"]').getByText(`${member.username}: Yes`)).toHaveCount(2)
  await expect(message(page, 'Yes').last()).toContainText('Seen')
  // Each message of a run shows its time.
  const time = await message(page, 'Yes').first().getByRole('time').boundingBox()
  expect(time?.width).toBeGreaterThan(40)
  // The divider stayed while the member read, and disappeared with their answer.
  await expect(conversation(page, other).getByText(/^\d+ new messages?$/)).toHaveCount(0)
  await expect(rows(theirs).first()).not.toContainText('Unread')

  await longStep('messages that arrive while the member has scrolled up wait below', async () => {
    // Messages that arrive while the member has scrolled up wait below.
    await write(member, id, Array.from({ length: 60 }, (_, index) => `Line ${index}`).join('\n'))
    await expect(message(page, 'Line 59')).toBeVisible()
    await page.getByRole('log').hover()
    await page.mouse.wheel(0, -2000)
    await expect(page.getByRole('button', { name: 'To the latest messages' })).toBeVisible()
    await write(other, id, 'Further down')
    await page.getByRole('button', { name: 'To the latest messages, 1 new' }).click()
    await expect(message(page, 'Further down')).toBeInViewport()
  })

  await longStep("MSG-14 'Delivered' is mutual, like activity", async () => {
    await page.goto('/')
    await write(other, id, 'Still there?')
    await expect(message(theirs, 'Still there?')).toContainText('Delivered')
    await setActivityShown(other, false)
    await theirs.reload()
    await expect(message(theirs, 'Still there?')).toContainText('Sent')
    await expect(conversation(theirs, member).getByText(/Active/)).toHaveCount(0)
    const delivered = () =>
      other.api
        .from('conversation_views')
        .select('delivered_at')
        .eq('conversation_id', id)
        .single()
        .throwOnError()
    const before = (await delivered()).data
    const reported = page.waitForResponse(/rpc\/mark_delivered/)
    await write(other, id, 'Or not?')
    await (await reported).finished()
    expect((await delivered()).data).toEqual(before)
    await page.goto(`/messages?c=${id}`)
    await expect(message(theirs, 'Or not?')).toContainText('Seen')
  })

  await setActivityShown(other, false)
  // The request for the other member alone: the list requests all of its members.
  const activity = page.waitForResponse((response) =>
    decodeURIComponent(response.url()).includes(
      `/activity?select=user_id,last_active_at&user_id=in.(${other.id})`,
    ),
  )
  await page.reload()
  await expect(conversation(page, other)).toBeVisible()
  await expect(page.getByRole('article').last()).toBeVisible()
  await (await activity).finished()
  await nextFrames(page)
  await expect(page.getByText(/Active/)).toHaveCount(0)
})

test('SAFE-01 MSG-10 after a block and an unblock both see each other type again, with the next message', {
  tag: ['@long', '@server'],
}, async ({ page, member, other, openAs }) => {
  const id = await startConversation(other, member)
  await write(member, id, 'Good evening')
  await write(other, id, 'And to you')
  const theirs = await openAs(other)
  for (const window of [page, theirs]) await window.goto(`/messages?c=${id}`)
  const seeEachOtherType = async () => {
    for (const [writer, reader, name] of [
      [page, theirs, member],
      [theirs, page, other],
    ] as const)
      await expect(async () => {
        await field(writer).pressSequentially('Yes ')
        await expect(reader.getByText(`${name.username} is typing`)).toBeVisible({ timeout: 1_000 })
      }).toPass()
  }
  await seeEachOtherType()
  await other.api.rpc('block_members', { ids: [member.id] }).throwOnError()
  for (const [window, name] of [
    [page, other],
    [theirs, member],
  ] as const)
    await expect(window.getByText(`${name.username} is typing`)).toHaveCount(0)
  await other.api.from('blocks').delete().eq('blocked_id', member.id).throwOnError()
  await write(other, id, 'Still there?')
  await expect(message(page, 'Still there?')).toBeVisible()
  await seeEachOtherType()
})

test('MSG-05 a failed mark-as-read is repeated after a reconnect, without a new message', {
  tag: ['@long', '@server'],
}, async ({ page, member, other, problems }) => {
  const id = await startConversation(other, member)
  const before = await write(other, id, 'Before')
  const live = await liveSwitch(page)
  problems.expect(/rpc\/mark_read/, /mark messages as read: offline/)
  const allow = await failRequests(page, /rpc\/mark_read/, { method: 'POST' })
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('rpc/mark_read'))
  await page.goto(`/messages?c=${id}`)
  await expect(message(page, 'Before')).toBeVisible()

  await failed
  await allow()
  live.cut()
  await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible()
  await live.restore()
  await expect
    .poll(async () => (await member.api.from('messages').select('read').eq('id', before).single()).data?.read)
    .toBe(true)
  await write(other, id, 'Still there')
  await expect(message(page, 'Still there')).toBeVisible()
})

test('MSG-08 MSG-09 messages sent during a gap show once, and own ones wait, also after a reload', {
  tag: '@server',
}, async ({ page, member, other }) => {
  const id = await startConversation(other, member)
  await write(other, id, 'Before')
  await other.api.rpc('touch_activity').throwOnError()
  const live = await liveSwitch(page)
  await page.goto(`/messages?c=${id}`)
  await expect(message(page, 'Before')).toBeVisible()
  await write(other, id, 'Still there')
  await expect(message(page, 'Still there')).toBeVisible()
  await expect(conversation(page, other).getByText('Active now')).toBeVisible()

  live.cut()
  await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible()
  // The server could not report that they have left.
  await expect(page.getByText('Active now')).toHaveCount(0)
  await write(other, id, 'In the gap')
  for (const text of ['First of mine', 'Second of mine']) {
    await field(page).fill(text)
    await page.keyboard.press('Enter')
    await expect(message(page, text)).toContainText('Waiting for the connection…')
    await expect(field(page)).toHaveValue('')
  }
  await field(page).fill('Better not')
  await page.keyboard.press('Enter')
  await message(page, 'Better not').getByRole('button', { name: 'Discard' }).click()
  await expect(message(page, 'Better not')).toHaveCount(0)
  await expect(rows(page).first()).toContainText('You: Second of mine· Waiting…')
  await expect(message(page, 'In the gap')).toHaveCount(0)
  await page.reload()
  await expect(message(page, 'Second of mine')).toContainText(/Waiting for the connection…|Sending…|ago/)

  await live.restore()
  await expect(message(page, 'Second of mine')).toContainText('less than a minute ago')
  await expect(page.getByRole('article')).toContainText([
    'Before',
    'Still there',
    'In the gap',
    'First of mine',
    'Second of mine',
  ])
  const { data } = await other.api
    .from('messages')
    .select('content')
    .eq('conversation_id', id)
    .eq('sender_id', member.id)
    .order('created_at')
  expect(data).toEqual([{ content: 'First of mine' }, { content: 'Second of mine' }])
})

test('MSG-03 MSG-11 a photo and a message of 4,000 characters arrive live, whole, and stay so after updates', {
  tag: ['@long', '@server'],
}, async ({ page, member, other, openAs }) => {
  const id = await startConversation(other, member)
  await write(other, id, 'Tell me everything')
  const theirs = await openAs(other)
  await theirs.goto(`/messages?c=${id}`)
  await expect(message(theirs, 'Tell me everything')).toBeVisible()
  await page.goto(`/messages?c=${id}`)
  const end = 'and that is all.'
  const long = longText(4_000 - end.length) + end
  /** Compare here, because a failure of `toBe` would print the whole text. */
  const isWhole = (reader: Page) =>
    message(reader, end).evaluate((node, text) => node.textContent.includes(text), long)
  await field(page).fill(long)
  await page.keyboard.press('Enter')
  await expect(message(theirs, end)).toBeVisible()
  expect(await isWhole(theirs)).toBe(true)

  await chooseFiles(page.getByRole('button', { name: 'Add a photo' }), photoPath('orientation-6.jpg'))
  await expect(page.getByRole('img', { name: 'Your photo, as it will be sent' })).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  const photo = theirs.getByRole('img', { name: `Photo from ${member.username}` })
  await expect(photo).toBeVisible()

  // Being read updates both rows; hosted Realtime omits unchanged long values there.
  await expect(message(page, 'Seen')).toBeVisible()
  expect([await isWhole(page), await isWhole(theirs)]).toEqual([true, true])
  await photo.click()
  await expect(theirs.getByRole('dialog', { name: 'Photo' })).toBeVisible()
  const { data } = await other.api
    .from('messages')
    .select('content,media_id,read')
    .eq('sender_id', member.id)
    .order('created_at')
  expect(data?.map(({ read }) => read)).toEqual([true, true])
  expect(data?.[0]?.content === long).toBe(true)
  expect(data?.[1]?.media_id).not.toBeNull()
})

/** Characters without repetitions, which PostgreSQL would compress: the row is stored out of line. */
function longText(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000))).join(
    '',
  )
}

test('MSG-11 MEDIA-04 both members see photos, replies, reactions and unsent messages, whose photos are deleted', {
  tag: ['@steps', '@server', '@smoke'],
}, async ({ page, member, other, openAs }) => {
  const id = await startConversation(other, member)
  await write(other, id, 'What does the wall look like?')
  const theirs = await openAs(other)
  await theirs.goto(`/messages?c=${id}`)
  await page.goto(`/messages?c=${id}`)

  await choose(page, 'What does the wall', 'Reply')
  await expect(page.getByText(`Replying to ${other.username}`)).toBeVisible()
  await expect(field(page)).toBeFocused()
  const addPhoto = async () => {
    await chooseFiles(page.getByRole('button', { name: 'Add a photo' }), photoPath('orientation-6.jpg'))
    await expect(page.getByRole('img', { name: 'Your photo, as it will be sent' })).toBeVisible()
  }
  await addPhoto()
  // The button goes with the photo; the focus goes to the field.
  await page.getByRole('button', { name: 'Remove photo' }).click()
  await expect(field(page)).toBeFocused()
  await addPhoto()
  await field(page).fill('Like this')
  // The whole draft is restored after a reload.
  await expect.poll(() => keptDrafts(page)).toEqual([{ hasReply: true, hasPhoto: true }])
  await page.reload()
  await expect(field(page)).toHaveValue('Like this')
  await expect(page.getByRole('img', { name: 'Your photo, as it will be sent' })).toBeVisible()
  await expect(page.getByText(`Replying to ${other.username}`)).toBeVisible()
  // If the server refuses it, the photo returns to the field, which has room for one.
  const held = await holdRequests(page, /rest\/v1\/messages/, { method: 'POST' })
  await page.getByRole('button', { name: 'Send' }).click()
  await held.arrived
  await expect(page.getByRole('button', { name: 'Add a photo' })).toBeDisabled()
  await held.release()
  await expect(page.getByRole('button', { name: 'Add a photo' })).toBeEnabled()
  await expect.poll(() => keptDrafts(page)).toEqual([])
  await expect(page.getByText(`Replying to ${other.username}`)).toHaveCount(0)

  const stored = await other.api.from('messages').select('media_id').eq('content', 'Like this').single()
  const sent = await other.api
    .from('message_media')
    .select('media_path,poster_path')
    .eq('id', stored.data?.media_id ?? '')
    .single()
    .throwOnError()
  const { media_path, poster_path } = sent.data
  expectPixelsAlone(await mediaOf(other, poster_path), await mediaOf(other, media_path))

  const answer = message(theirs, 'Like this')
  await expect(answer.getByRole('button', { name: /What does the wall look like/ })).toBeVisible()
  const photo = answer.getByRole('img', { name: `Photo from ${member.username}` })
  await photo.click()
  await expect(theirs.getByRole('dialog', { name: 'Photo' })).toBeVisible()
  await theirs.keyboard.press('Escape')
  await expect(theirs.getByRole('dialog')).toHaveCount(0)

  await answer.getByText('Like this').click({ button: 'right' })
  await theirs.getByRole('menuitemcheckbox', { name: 'React with 🔥' }).click()
  await expect(message(page, 'Like this').getByText(`${other.username} reacted with 🔥`)).toBeAttached()
  await choose(theirs, 'Like this', 'React with 🔥')
  await expect(message(page, 'Like this').getByText(`${other.username} reacted with 🔥`)).toHaveCount(0)

  await expect(
    message(theirs, 'Like this').getByRole('img', { name: `Photo from ${member.username}` }),
  ).toBeVisible()

  await choose(page, 'Like this', 'Unsend')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unsend' }).click()
  await expect(message(page, 'Message deleted')).toBeVisible()
  await expect(field(page)).toBeFocused()
  await expect(message(theirs, 'Message deleted')).toBeVisible()
  await expect.poll(async () => (await member.api.storage.from('media').list(member.id)).data).toEqual([])
  await expect(theirs.getByText('Like this')).toHaveCount(0)
  await expect(rows(theirs).first()).toContainText('Message deleted')
  await theirs.getByRole('article').getByText('Message deleted').click({ button: 'right' })
  await nextFrames(theirs)
  await expect(theirs.getByRole('menu')).toHaveCount(0)

  await longStep('the menu of a message is used by keyboard', async () => {
    // By keyboard: from message to message, into the menu, and back.
    await message(page, 'What does the wall').getByRole('button', { name: 'Message options' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitemcheckbox').first()).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('menuitemcheckbox').nth(1)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(
      message(page, 'What does the wall').getByRole('button', { name: 'Message options' }),
    ).toBeFocused()
  })
})

/** Moves the focus to another window, or back. */
async function look(page: Page, isLooking: boolean): Promise<void> {
  await page.evaluate((hasFocus) => {
    document.hasFocus = () => hasFocus
    window.dispatchEvent(new Event(hasFocus ? 'focus' : 'blur'))
  }, isLooking)
}

test('MSG-05 MSG-11 MSG-12 messages stay unread while the member looks away, a quote scrolls far up, a block closes the conversation', {
  tag: '@long',
}, async ({ page, member, other, problems }) => {
  const id = await startConversation(other, member)
  const asked = await write(other, id, 'Where did you take the first one?')
  for (let from = 0; from < 120; from += 60) {
    const { error } = await other.api.from('messages').insert(
      Array.from({ length: 60 }, (_, index) => ({
        conversation_id: id,
        sender_id: other.id,
        content: `Number ${from + index}`,
      })),
    )
    expect(error).toBeNull()
  }
  const answered = await member.api
    .from('messages')
    .insert({ conversation_id: id, sender_id: member.id, content: 'By the lake', reply_to_id: asked })
  expect(answered.error).toBeNull()

  const active = await other.api.rpc('touch_activity')
  expect(active.error).toBeNull()

  // Messages that arrive after the member looked away are unread, although earlier ones are only now marked as read.
  const marking = await holdRequests(page, /rpc\/mark_read/, { method: 'POST' })
  await page.goto(`/messages?c=${id}`)
  await expect(message(page, 'By the lake')).toBeInViewport()
  await expect(conversation(page, other).getByText('Active now')).toBeVisible()
  await marking.arrived
  await look(page, false)
  const second = await write(other, id, 'And the second?')
  await expect(message(page, 'And the second?')).toBeVisible()
  const marked = page.waitForResponse(/rpc\/mark_read/)
  await marking.release()
  await marked
  const { data: after } = await member.api.from('messages').select('read').in('id', [asked, second])
  expect(after).toEqual(expect.arrayContaining([{ read: true }, { read: false }]))
  await expect(rows(page).first()).toContainText('Unread')
  await expect(page.getByText(/^\d+ new messages?$/)).toBeVisible()
  await expect(messagesLink(page)).toHaveAccessibleName('Messages, 1 unread')
  await look(page, true)
  await expect(messagesLink(page)).toHaveAccessibleName('Messages')
  await expect(page.getByText(/^\d+ new messages?$/)).toBeVisible()

  await message(page, 'By the lake')
    .getByRole('button', { name: /Where did you take/ })
    .click()
  await expect(page.locator(`[data-message="${asked}"]`)).toBeInViewport()
  await expect(message(page, 'By the lake')).toHaveCount(0)

  await conversation(page, other).getByRole('button', { name: 'Conversation options' }).click()
  await expect(page.getByRole('menuitem', { name: 'View profile' })).toBeVisible()
  await page.keyboard.press('Escape')
  await field(page).fill('One more thing')
  const held = await holdRequests(page, /rest\/v1\/messages/, { method: 'POST' })
  await page.keyboard.press('Enter')
  await held.arrived
  const blocked = await other.api.rpc('block_members', { ids: [member.id] })
  expect(blocked.error).toBeNull()
  problems.expect(/403 .*rest\/v1\/messages/, /send message: forbidden/)
  await held.release()
  await expect(page.getByRole('heading', { name: 'Member', exact: true })).toBeVisible()
  await expect(page.getByText('You cannot write in this conversation any more.')).toBeVisible()
  await expect(message(page, 'And the second?')).toBeVisible()
  await expect(field(page)).toHaveCount(0)
  await expect(rows(page).first()).toContainText('Member')
  await expect(page.getByText(/Active/)).toHaveCount(0)
  // The unsent draft can be copied.
  const left = page.getByRole('textbox', { name: 'What you had written:' })
  await expect(left).toHaveValue('One more thing')
  await expect(left).toBeFocused()
  await expect(page.getByText(other.username)).toHaveCount(0)
})
