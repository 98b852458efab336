import { startConversation, write } from './support/conversations'
import { readDisk } from './support/disk-cache'
import { longStep } from './support/long-step'
import { conversation, field, message, rows } from './support/messages-page'
import { answerWith, failRequests, holdRequests, liveSwitch } from './support/network'
import { expect, type Member, test } from './support/test'

const MESSAGES = /\/rest\/v1\/messages/
/** Requests of the pages before the newest messages. */
const OLDER_MESSAGES = /\/messages\?.*created_at=lte/

async function isRead(member: Member, id: string): Promise<boolean> {
  const { data, error } = await member.api.from('messages').select('read').eq('id', id).single()
  if (error) throw error
  return data.read
}

test('MSG-01 MSG-02 MSG-03 MSG-05 MSG-06 conversations show their last message and are read once open; a search finds members to write to', {
  tag: '@smoke',
}, async ({ page, member, other, newMember, openAs, problems }) => {
  const [anna, ben] = [await newMember({ fullName: 'Anna Berg' }), await newMember()]
  const withAnna = await startConversation(anna, member)
  const withBen = await startConversation(member, ben)
  await write(anna, withAnna, 'Is the darkroom free?')
  await write(member, withAnna, 'From four on')
  const unread = await write(anna, withAnna, 'I bring the paper, see https://example.com/paper')
  await write(member, withBen, 'Hello Ben')

  await page.goto('/messages')
  await expect(page.getByRole('heading', { name: 'Messages', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your Messages' })).toBeVisible()
  await expect(page.getByText('Send private messages to a friend or group.')).toBeVisible()
  await expect(rows(page)).toContainText([
    `${ben.username}You: Hello Ben`,
    `${anna.username}I bring the paper, see https://example.com/paper`,
  ])
  await expect(rows(page).nth(1)).toContainText('Unread')
  await expect(rows(page).nth(0)).not.toContainText('Unread')
  expect(await isRead(member, unread)).toBe(false)

  await rows(page).nth(1).getByRole('link').click()
  await expect(page).toHaveURL(`/messages?c=${withAnna}`)
  const open = conversation(page, anna)
  await expect(open.getByRole('link', { name: anna.username })).toHaveAttribute(
    'href',
    `/profile/${anna.username}`,
  )
  await expect(open.getByText('Anna Berg')).toBeVisible()
  await expect(open.getByRole('article')).toContainText([
    'Is the darkroom free?',
    'From four on',
    'I bring the paper, see https://example.com/paper',
  ])
  await expect(open.getByRole('article').getByText('less than a minute ago')).toHaveCount(3)
  const link = open.getByRole('link', { name: 'https://example.com/paper' })
  await expect(link).toHaveAttribute('target', '_blank')
  const pane = await open.getByRole('log').boundingBox()
  const own = await message(page, 'From four on').locator('p').first().boundingBox()
  const others = await message(page, 'Is the darkroom free?').locator('p').first().boundingBox()
  if (pane === null || own === null || others === null) throw new Error('not drawn')
  expect(own.x + own.width).toBeGreaterThan(pane.x + pane.width - 40)
  expect(others.x).toBeLessThan(pane.x + 40)
  const frame = page.getByRole('main').locator('> div')
  for (const [height, shown] of [
    [1_000, 968],
    [1_200, 1_168],
    [860, 828],
    [640, 608],
  ] as const) {
    await page.setViewportSize({ width: 1_280, height })
    expect((await frame.boundingBox())?.height, `in a window of ${height} px`).toBe(shown)
  }

  await expect.poll(() => isRead(member, unread)).toBe(true)
  await expect(rows(page).nth(1)).not.toContainText('Unread')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Your Messages' })).toBeVisible()

  await test.step('MSG-02 a search finds members to write to, and two members have one conversation', async () => {
    const third = await newMember()
    const withThird = await startConversation(third, member)
    await write(third, withThird, 'Earlier')
    const search = page.getByRole('combobox', { name: 'Search users...' })
    const button = page.getByRole('button', { name: 'New conversation' })
    await button.click()
    await expect(search).toBeFocused()
    await search.fill(member.username)
    await expect(page.getByText('Nobody by that name')).toBeVisible()
    await search.fill('   ')
    await expect(page.getByText('Nobody by that name')).toBeHidden()
    await search.press('Escape')
    await expect(search).toHaveCount(0)

    // Both start at once: the other member creates the conversation between this member's lookup and insert.
    const held = await holdRequests(page, /\/rest\/v1\/conversations/, { method: 'POST' })
    await button.click()
    await search.fill(other.username)
    await page.getByRole('option', { name: other.username }).click()
    await held.arrived
    const id = await startConversation(other, member)
    problems.expect(/409 \(Conflict\) .*rest\/v1\/conversations/)
    await held.release()
    await expect(page).toHaveURL(`/messages?c=${id}`)
    await expect(search).toHaveCount(0)
    await expect(rows(page).first()).toContainText(other.username)
    await expect(rows(page).first().getByRole('link')).toHaveAttribute('aria-current', 'true')

    // An existing conversation is reopened and moves to the top.
    await button.click()
    await expect(search).toHaveValue('')
    await search.fill(third.username)
    await expect(page.getByRole('option')).toHaveCount(1)
    await search.press('Enter')
    await expect(page).toHaveURL(`/messages?c=${withThird}`)
    await expect(message(page, 'Earlier')).toBeVisible()
    await expect(rows(page).first()).toContainText(third.username)
    await expect(rows(page)).toHaveCount(4)

    const theirs = await openAs(other)
    await theirs.goto(`/messages?c=${id}`)
    await expect(conversation(theirs, member)).toBeVisible()
  })
})

test('MSG-04 the draft for a member who deletes their account meanwhile can be copied', {
  tag: '@long',
}, async ({ page, member, other, newMember, problems }) => {
  const third = await newMember()
  const id = await startConversation(other, member)
  await write(third, await startConversation(third, member), 'Later')
  await page.goto(`/messages?c=${id}`)
  const send = page.getByRole('button', { name: 'Send' })
  await field(page).fill('Not lost')
  await send.click()
  await expect(message(page, 'Not lost')).toContainText('less than a minute ago')
  const disk = async () => JSON.stringify(await readDisk(page))
  await expect.poll(disk).toContain('Not lost')
  const late = await holdRequests(page, MESSAGES, { method: 'POST' })
  await field(page).fill('Too late')
  await send.click()
  await late.arrived
  const gone = await other.api.rpc('delete_account')
  expect(gone.error).toBeNull()
  problems.expect(/40[34] .*rest\/v1\/messages/, /send message: (forbidden|not-found)/)
  await late.release()
  await expect(page.getByText('This member is no longer here')).toBeVisible()
  const left = page.getByRole('textbox', { name: 'What you had written:' })
  await expect(left).toHaveValue('Too late')
  await expect(left).toBeFocused()
  await expect(message(page, 'Not lost')).toBeVisible()
  await expect(page).toHaveURL(`/messages?c=${id}`)
  await rows(page).filter({ hasText: third.username }).getByRole('link').click()
  await expect.poll(disk).not.toContain(id)
  await page.reload()
  await rows(page).filter({ hasText: 'Draft: Too late' }).getByRole('link').click()
  await expect(left).toHaveValue('Too late')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('This conversation is not here.')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
})

test('MSG-03 MSG-11 a message that cannot be broken ends at the edge of its bubble, beside its options', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const id = await startConversation(other, member)
  const family = (people: number) => `${'\u{1f468}\u200d'.repeat(people - 1)}\u{1f468}`
  // Twenty are shown as a large emoji.
  const contents = [family(300), family(20)]
  for (const content of contents) {
    await write(member, id, content)
    await write(other, id, content)
  }
  await page.setViewportSize({ width: 700, height: 860 })
  await page.goto(`/messages?c=${id}`)
  const messages = page.locator('article[data-message]')
  await expect(messages).toHaveCount(2 * contents.length)
  const edges = await messages.evaluateAll((articles) =>
    articles.map((article) => {
      const boxes = [article, article.querySelector('p'), article.querySelector('button')]
      return boxes.map((element) => element?.getBoundingClientRect() ?? new DOMRect())
    }),
  )
  for (const [article, text, options] of edges) {
    expect(text?.left).toBeGreaterThanOrEqual(article?.left ?? Number.NaN)
    expect(text?.right).toBeLessThanOrEqual(article?.right ?? Number.NaN)
    const distance = Math.max(
      (options?.left ?? 0) - (text?.right ?? 0),
      (text?.left ?? 0) - (options?.right ?? 0),
    )
    expect(distance).toBeGreaterThanOrEqual(0)
  }
})

test('MSG-12 FEED-12 older messages load above, also after a failure, without moving the visible ones', {
  tag: '@steps',
}, async ({ page, member, other, problems }) => {
  const conversationId = await startConversation(other, member)
  const total = 130
  // With different heights, many with the same time.
  for (let from = 0; from < total; from += 26) {
    const { error } = await other.api.from('messages').insert(
      Array.from({ length: 26 }, (_, index) => ({
        conversation_id: conversationId,
        sender_id: other.id,
        content: `Number ${from + index}${'\nand a line'.repeat(index % 4)}`,
      })),
    )
    if (error) throw error
  }
  const read = await member.api.from('messages').update({ read: true }).eq('conversation_id', conversationId)
  if (read.error) throw read.error
  await page.goto(`/messages?c=${conversationId}`)
  const log = page.getByRole('log', { name: 'Messages' })
  await expect(log.getByRole('article').last()).toBeInViewport()
  const distanceFromEnd = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
  await expect.poll(distanceFromEnd).toBeLessThan(2)

  await log.hover()
  problems.expect(/status of 503.*messages/, /read older messages: server/)
  const answerAgain = await answerWith(page, OLDER_MESSAGES, { status: 503, json: { message: 'Busy' } })
  let hasFailed = false
  page.on('console', (message) => {
    hasFailed ||= message.text().startsWith('read older messages')
  })
  await expect(async () => {
    await page.mouse.wheel(0, -3000)
    expect(hasFailed).toBe(true)
  }).toPass()
  await answerAgain()
  const held = await holdRequests(page, OLDER_MESSAGES)
  let isAsked = false
  held.arrived.then(() => {
    isAsked = true
  })
  await expect(async () => {
    await page.mouse.wheel(0, -3000)
    expect(isAsked).toBe(true)
  }).toPass()
  await expect(page.getByRole('button', { name: 'To the latest messages' })).toBeVisible()
  // The last wheel event may still be scrolling.
  const isAtRest = () =>
    log.evaluate(
      (box) =>
        new Promise<boolean>((resolve) => {
          const { scrollTop } = box
          requestAnimationFrame(() =>
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(box.scrollTop === scrollTop))),
          )
        }),
    )
  await expect.poll(isAtRest).toBe(true)
  // The message in the middle of the viewport.
  const id = await log.evaluate((box) => {
    const middle = box.getBoundingClientRect().top + box.clientHeight / 2
    const all = [...box.querySelectorAll('[data-message]')]
    const reading = all.find((element) => element.getBoundingClientRect().bottom > middle)
    return reading?.getAttribute('data-message')
  })
  const place = async () => {
    const box = await log.locator(`[data-message="${id}"]`).boundingBox()
    if (box === null) throw new Error('not drawn')
    return box.y
  }
  const before = await place()
  const fullHeight = () => log.evaluate((box) => box.scrollHeight)
  const heightBefore = await fullHeight()
  await held.release()
  await expect.poll(fullHeight).toBeGreaterThan(heightBefore)
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1)

  expect(await log.getByRole('article').count()).toBeLessThan(40)
  await longStep('up to the beginning', async () => {
    const beginning = page.getByText(`This is the beginning of your conversation with ${other.username}.`)
    await expect(async () => {
      await page.mouse.wheel(0, -4000)
      await expect(beginning).toBeInViewport({ timeout: 300 })
    }).toPass()
    expect(await log.getByRole('article').count()).toBeLessThan(40)
  })
  // In one jump back to the end; only a few rows are rendered.
  await page.getByRole('button', { name: 'To the latest messages' }).click()
  await expect.poll(distanceFromEnd).toBeLessThan(2)

  await longStep('the end stays visible while the field grows and shrinks', async () => {
    // The end stays visible while the field grows, and while it shrinks after sending.
    const height = () => log.evaluate((box) => box.clientHeight)
    const roomy = await height()
    for (const lines of ['One\ntwo\nthree', 'Four\nfive\nsix\nseven']) {
      await field(page).fill(lines)
      await expect.poll(height).toBeLessThan(roomy)
      await expect.poll(distanceFromEnd).toBeLessThan(2)
      await field(page).press('Enter')
      await expect(log.getByRole('article').last()).toContainText(
        `${lines.split('\n').at(-1)}less than a minute ago`,
      )
      await expect.poll(height).toBe(roomy)
      await expect.poll(distanceFromEnd).toBeLessThan(2)
    }
  })
})

test('MSG-12 a slow computer opens a conversation without loading older messages', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const conversationId = await startConversation(other, member)
  const row = { conversation_id: conversationId, sender_id: other.id, content: 'Hello' }
  await other.api.from('messages').insert(Array(90).fill(row)).throwOnError()
  await member.api
    .from('messages')
    .update({ read: true })
    .eq('conversation_id', conversationId)
    .throwOnError()
  let asked = 0
  page.on('request', (request) => {
    if (OLDER_MESSAGES.test(request.url())) asked += 1
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 8 })
  await page.goto(`/messages?c=${conversationId}`)
  const log = page.getByRole('log', { name: 'Messages' })
  await expect(log.getByRole('article').last()).toBeInViewport()
  await page.waitForLoadState('networkidle')
  expect(asked).toBe(0)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await log.hover()
  // A second turn of the wheel may reach the page before that.
  await expect(async () => {
    await page.mouse.wheel(0, -3000)
    expect(asked).toBeGreaterThan(0)
  }).toPass()
})

test('MSG-12 a conversation opens at the first unread message, with a button to its end', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const conversationId = await startConversation(other, member)
  const say = async (words: string, count = 15) => {
    // With the same time, so that their ids order them.
    const ids = Array.from({ length: count }, () => crypto.randomUUID()).sort()
    const rows = ids.map((each, index) => ({
      id: each,
      conversation_id: conversationId,
      sender_id: other.id,
      content: `${words} ${index}${'\nand a line'.repeat(index % 4)}`,
    }))
    // The embedded server accepts at most 100 rows in one insert.
    for (let start = 0; start < count; start += 100) {
      await other.api
        .from('messages')
        .insert(rows.slice(start, start + 100))
        .throwOnError()
    }
  }
  await say('Known')
  const read = await member.api.from('messages').update({ read: true }).eq('conversation_id', conversationId)
  if (read.error) throw read.error
  // More than a page.
  await say('New', 120)
  const live = await liveSwitch(page)

  await page.goto(`/messages?c=${conversationId}`)
  const log = page.getByRole('log', { name: 'Messages' })
  const divider = page.getByText(/^\d+ new messages?$/)
  const distanceFromTop = async () => {
    const [line, box] = [await divider.boundingBox(), await log.boundingBox()]
    return line && box && line.y - box.y
  }
  await expect.poll(distanceFromTop).toBeLessThan(30)
  await expect.poll(distanceFromTop).toBeGreaterThanOrEqual(0)
  await expect(divider).toHaveText('120 new messages')
  await expect(message(page, 'New 0').first()).toBeInViewport()
  const toLatest = page.getByRole('button', { name: 'To the latest messages' })
  // Visible messages no longer count as new.
  await expect(toLatest).toHaveAccessibleName(/^To the latest messages, 11\d new$/)
  await toLatest.click()
  await expect(log.getByRole('article').last()).toBeInViewport()
  await expect(toLatest).toHaveCount(0)

  // After another page: the conversation opens the same way although no live event reported the new messages.
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
  await expect(log).toHaveCount(0)
  live.cut()
  await say('Newer')
  await page.goBack()
  await expect(page.getByRole('article').filter({ hasText: 'Newer 0' })).toBeInViewport()
  await expect(divider).toHaveText('15 new messages')
  await expect.poll(distanceFromTop).toBeLessThan(30)
  await expect(toLatest).toBeVisible()
})

test('MSG-01 arrow keys move in the list, a narrow window shows list or conversation, a wrong URL the list', {
  tag: '@long',
}, async ({ page, member, newMember, openAs, problems }) => {
  const others = await Promise.all([newMember(), newMember(), newMember()])
  for (const other of others)
    await write(other, await startConversation(other, member), `From ${other.username}`)
  await page.setViewportSize({ width: 600, height: 700 })
  await page.goto('/messages')
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByRole('heading', { name: 'Your Messages' })).toBeHidden()
  await rows(page).first().getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(1).getByRole('link')).toBeFocused()
  await page.keyboard.press('End')
  await expect(rows(page).nth(2).getByRole('link')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(rows(page).nth(1).getByRole('link')).toBeFocused()
  const text = (await rows(page).nth(1).getByText(/From /).textContent()) ?? ''
  await page.keyboard.press('Enter')
  await expect(message(page, text)).toBeVisible()
  await expect(rows(page).first()).toBeHidden()
  await page.getByRole('button', { name: 'Back to all messages' }).click()
  await expect(page).toHaveURL('/messages')
  await expect(rows(page)).toHaveCount(3)

  await page.setViewportSize({ width: 1280, height: 720 })
  const strangers = await startConversation(others[0] as Member, others[1] as Member)
  for (const wrong of ['nonsense', crypto.randomUUID(), strangers]) {
    await page.goto(`/messages?c=${wrong}`)
    await expect(page).toHaveURL('/messages')
    await expect(page.getByText('This conversation is not here.')).toBeVisible()
  }

  // On a first visit: later ones show the list from the cache on disk.
  const firstVisit = await openAs(others[0] as Member)
  problems.expect(/my_conversations/, /read conversations: offline/)
  await failRequests(firstVisit, /my_conversations/)
  await firstVisit.goto('/messages')
  await expect(firstVisit.getByText('No conversations yet.')).toBeVisible()
  await expect(firstVisit.getByRole('alert')).toHaveCount(0)
})
