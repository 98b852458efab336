import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { COMMENTS_PAGE } from '#/shared/limits'
import { boxOf } from './support/boxes'
import { stopTime, takeClock } from './support/clock'
import { longStep } from './support/long-step'
import { answerWith, failRequests, holdRequests } from './support/network'
import { dataUrl, noisePng } from './support/png'
import { insertPosts, NEXT_PAGES } from './support/posts'
import { expect, type Member, test } from './support/test'

const LIKES = /\/rest\/v1\/likes/
const COMMENTS = /\/rest\/v1\/comments/

/** Inserts a post. Returns its id. */
async function post(author: Member, content: string, location?: string): Promise<string> {
  const id = crypto.randomUUID()
  const { error } = await author.api
    .from('posts')
    .insert({ id, user_id: author.id, content, ...(location && { location }) })
  if (error) throw error
  return id
}

async function likeCount(member: Member, id: string): Promise<number | undefined> {
  const { data } = await member.api.from('posts').select('like_count').eq('id', id).single()
  return data?.like_count
}

/** Seconds after which the feed checks for new posts again. */
const NEXT_LOOK = 65

test('FEED-01 FEED-03 a post shows its author, place, text, time and counts, below the stories strip, and markup as text', async ({
  page,
  member,
  newMember,
}) => {
  const author = await newMember({ fullName: 'Ines Duarte' })
  const id = await post(author, 'Before the ferry.', 'Porto')
  for (const { api, id: user_id } of [author, member]) {
    await api.from('likes').insert({ post_id: id, user_id }).throwOnError()
  }
  await author.api.from('comments').insert({ post_id: id, user_id: author.id, content: 'Cold hands.' })
  const hostile = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">'
  const hostileId = await post(member, hostile, hostile)
  await member.api.from('comments').insert({ post_id: hostileId, user_id: member.id, content: hostile })
  await page.goto('/')
  const card = page.getByRole('article', { name: `Post by ${author.username}` })
  await expect(card.getByText('Before the ferry.')).toBeVisible()
  await expect(card.getByText('Porto')).toBeVisible()
  await expect(card.getByText('just now')).toBeVisible()
  await expect(card.getByText('2 likes', { exact: true })).toBeAttached()
  await expect(card.getByRole('button', { name: 'Like', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(card.getByText('1 comment', { exact: true })).toBeAttached()
  await expect(card.getByRole('link', { name: author.username }).first()).toHaveAttribute(
    'href',
    `/profile/${author.username}`,
  )
  const strip = await page.getByRole('region', { name: 'Stories' }).boundingBox()
  const first = await page.getByRole('article').first().boundingBox()
  if (strip === null || first === null) throw new Error('not drawn')
  expect(strip.y + strip.height).toBeLessThanOrEqual(first.y)

  const marked = page.locator(`[data-post="${hostileId}"]`)
  await marked.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(marked.getByText(hostile)).toHaveCount(3)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test('FEED-01 FEED-06 PROF-02 a text that cannot be broken does not widen the page', {
  tag: '@long',
}, async ({ page, member }) => {
  const family = `${'\u{1f468}\u200d'.repeat(300)}\u{1f468}`
  const [id = ''] = await insertPosts(member, 1, { content: () => family })
  await member.api
    .from('comments')
    .insert({ post_id: id, user_id: member.id, content: family })
    .throwOnError()
  await member.api
    .from('profiles')
    .update({ bio: '\u1100'.repeat(150) })
    .eq('id', member.id)
    .throwOnError()
  const expectFit = async () => {
    const [reach, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(reach).toBe(width)
  }
  await page.goto('/')
  const card = page.locator(`article[data-post="${id}"]`)
  await expect(card.getByText(family)).toBeVisible()
  await expectFit()
  await card.getByRole('button', { name: 'View 1 comment' }).click()
  await expect(card.getByText(family)).toHaveCount(2)
  await expectFit()
  await page.goto(`/profile/${member.username}`)
  await expect(page.getByText('\u1100\u1100').first()).toBeVisible()
  await expectFit()
})

test('FEED-06 marks above and below a letter end at the edge of their text and draw over no other comment', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const [id = ''] = await insertPosts(member, 1)
  // As the database stores it.
  const stack = `o${'\u0301\u0302\u0306\u0323\u0330'.repeat(48)}`.normalize()
  const contents = ['The light!', stack, 'And the sea']
  for (const content of contents)
    await other.api.from('comments').insert({ post_id: id, user_id: other.id, content }).throwOnError()
  await page.goto(`/?post=${id}`)
  await expect(page.getByText(stack)).toBeVisible()
  const pictures = async () => {
    const shown = [page.getByText('The light!'), page.getByText('And the sea')]
    return Promise.all(shown.map(async (text) => (await text.screenshot()).toString('base64')))
  }
  const above = await pictures()
  await page.getByText(stack).evaluate((text) => {
    text.textContent = 'o'
  })
  expect(await pictures()).toEqual(above)
})

test('FEED-04 FEED-05 likes and saves show at once, survive a reload and end in the state of the last press', {
  tag: ['@steps', '@smoke'],
}, async ({ page, context, member, problems }) => {
  const id = await post(member, `Liked ${member.username}`)
  const undecided = await post(member, `Undecided ${member.username}`)
  const [pictured = ''] = await insertPosts(member, 1, { thumbnailBytes: 900 })
  await page.goto('/')
  const card = page.locator(`[data-post="${id}"]`)
  const like = card.getByRole('button', { name: 'Like', exact: true })

  const held = await holdRequests(page, LIKES, { method: 'POST' })
  await like.click()
  await held.arrived
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await expect(card.getByText('1 like')).toBeAttached()
  await held.release()
  await expect.poll(() => likeCount(member, id)).toBe(1)
  const save = page.locator(`[data-post="${id}"]`).getByRole('button', { name: 'Save' })
  await save.click()
  await expect
    .poll(async () => (await member.api.from('saved_posts').select('post_id')).data)
    .toEqual([{ post_id: id }])
  // The reload may cut it off.
  problems.allow(/^report delivery: offline/)
  await page.reload()
  await expect(like).toHaveAttribute('aria-pressed', 'true')

  await longStep('another window of the member follows', async () => {
    const other = await context.newPage()
    await other.goto('/')
    const there = other.locator(`[data-post="${id}"]`).getByRole('button', { name: 'Save' })
    await expect(there).toHaveAttribute('aria-pressed', 'true')
    await save.click()
    await expect(there).toHaveAttribute('aria-pressed', 'false')
    await save.click()
    await expect(there).toHaveAttribute('aria-pressed', 'true')
    await other.close()
  })

  problems.expect(/rest\/v1\/likes/, /like: offline/)
  const refused = await holdRequests(page, LIKES, { method: 'DELETE' }, 'refuse')
  await like.click()
  await refused.arrived
  await expect(like).toHaveAttribute('aria-pressed', 'false')
  await expect(card.getByText('0 likes')).toBeAttached()
  await refused.release()
  await expect(page.getByText(texts.post.notStored.like)).toBeVisible()
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await expect(card.getByText('1 like')).toBeAttached()
  expect(await likeCount(member, id)).toBe(1)
  await expect(save).toHaveAttribute('aria-pressed', 'true')
  await save.click()
  await expect.poll(async () => (await member.api.from('saved_posts').select('post_id')).data).toEqual([])

  await longStep('after many fast presses the last one wins, on screen and on the server', async () => {
    const card = page.locator(`[data-post="${undecided}"]`)
    const like = card.getByRole('button', { name: 'Like', exact: true })
    const answered: string[] = []
    page.on('response', (response) => {
      if (LIKES.test(response.url())) answered.push(response.request().method())
    })

    const liking = await holdRequests(page, LIKES, { method: 'POST' })
    for (let press = 0; press < 4; press += 1) await like.click()
    await liking.arrived
    await expect(like).toHaveAttribute('aria-pressed', 'false')
    await liking.release()
    await expect.poll(() => answered).toEqual(['POST', 'DELETE'])
    await expect(card.getByText('0 likes', { exact: true })).toBeAttached()
    expect(await likeCount(member, undecided)).toBe(0)

    await like.click()
    await expect.poll(() => answered).toEqual(['POST', 'DELETE', 'POST'])
    const unliking = await holdRequests(page, LIKES, { method: 'DELETE' })
    for (let press = 0; press < 4; press += 1) await like.click()
    await unliking.arrived
    await expect(like).toHaveAttribute('aria-pressed', 'true')
    await unliking.release()
    await expect.poll(() => answered).toEqual(['POST', 'DELETE', 'POST', 'DELETE', 'POST'])
    await expect(card.getByText('1 like', { exact: true })).toBeAttached()
    expect(await likeCount(member, undecided)).toBe(1)
  })

  await test.step('a double click on the picture likes the post, and never removes the like', async () => {
    const card = page.locator(`[data-post="${pictured}"]`)
    const photo = card.getByRole('img', { name: `Photo by ${member.username}` })
    for (let times = 0; times < 2; times += 1) {
      // Dispatch both clicks at once: on a slow machine the first one would open the post before the second.
      await photo.evaluate((image) => {
        for (const [type, detail] of [
          ['click', 1],
          ['click', 2],
          ['dblclick', 2],
        ] as const)
          image.dispatchEvent(new MouseEvent(type, { bubbles: true, detail }))
      })
      await expect(card.getByRole('button', { name: 'Like', exact: true })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
      await expect(card.getByText('1 like')).toBeAttached()
    }
    await expect(page).toHaveURL('/')
  })

  await test.step('FEED-04 the second click of a slow double click still likes, on the post that the first one opened', async () => {
    const card = page.locator(`[data-post="${pictured}"]`)
    const like = card.getByRole('button', { name: 'Like', exact: true })
    await like.click()
    await expect(like).toHaveAttribute('aria-pressed', 'false')
    await stopTime(page)
    const box = await boxOf(card.getByRole('img', { name: `Photo by ${member.username}` }))
    const [x, y] = [box.x + box.width / 2, box.y + 40]
    await page.mouse.click(x, y)
    await page.clock.runFor(300)
    await expect(page).toHaveURL(`/?post=${pictured}`)
    await page.mouse.click(x, y)
    await page.clock.resume()
    const dialog = page.getByRole('dialog', { name: `Post by ${member.username}` })
    const opened = dialog.getByRole('button', { name: 'Like', exact: true })
    await expect(opened).toHaveAttribute('aria-pressed', 'true')
    await opened.click()
    await expect(opened).toHaveAttribute('aria-pressed', 'false')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  await test.step('FEED-14 a click on the picture opens the post, as Enter on the focused post does', async () => {
    const card = page.locator(`[data-post="${pictured}"]`)
    const dialog = page.getByRole('dialog', { name: `Post by ${member.username}` })
    await card.getByRole('img', { name: `Photo by ${member.username}` }).click()
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(card).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await expect(page).toHaveURL(`/?post=${pictured}`)
  })
})

test('FEED-04 two windows like the same post at once, and it is liked once', { tag: '@long' }, async ({
  page,
  member,
  openAs,
}) => {
  const id = await post(member, `Twice ${member.username}`)
  const second = await openAs(member)
  await page.goto('/')
  await second.goto('/')
  const likes = [page, second].map((each) =>
    each.locator(`[data-post="${id}"]`).getByRole('button', { name: 'Like', exact: true }),
  )
  for (const like of likes) await expect(like).toHaveAttribute('aria-pressed', 'false')
  const answers = [page, second].map((each) =>
    each.waitForResponse((response) => LIKES.test(response.url()) && response.request().method() === 'POST'),
  )
  await Promise.all(likes.map((like) => like.click()))
  for (const answer of answers) expect((await answer).ok()).toBe(true)
  for (const like of likes) await expect(like).toHaveAttribute('aria-pressed', 'true')
  expect(await likeCount(member, id)).toBe(1)
  for (const each of [page, second]) {
    await expect(each.locator(`[data-post="${id}"]`).getByText('1 like')).toBeAttached()
  }
})

test('FEED-06 FEED-07 FEED-08 comments are listed oldest first, a failed one keeps its text, and authors are notified once', async ({
  page,
  member,
  newMember,
  problems,
}) => {
  const id = await post(member, `Discussed ${member.username}`)
  for (const content of ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']) {
    await member.api.from('comments').insert({ post_id: id, user_id: member.id, content })
  }
  const author = await newMember()
  const far = await post(author, `Far away ${author.username}`)
  const liked = await newMember()
  const theirs = await post(liked, `Theirs ${liked.username}`)
  const own = await post(member, `Own ${member.username}`)
  await page.goto('/')
  await test.step('FEED-06 the list is oldest first, about 12rem high, and shows a sent comment', async () => {
    const card = page.locator(`[data-post="${id}"]`)
    await card.getByRole('button', { name: 'Comment', exact: true }).click()
    const list = card.getByRole('list', { name: 'Comments' })
    await expect(list.getByRole('listitem')).toHaveCount(6)
    await expect(list.getByRole('listitem').first()).toContainText('first')
    await expect(list.getByRole('listitem').first()).toContainText(member.username)
    expect((await list.boundingBox())?.height).toBeLessThanOrEqual(16 * 12)
    expect(await list.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)

    const field = card.getByRole('textbox', { name: 'Add a comment...' })
    const send = card.getByRole('button', { name: 'Post', exact: true })
    await expect(send).toBeDisabled()
    await field.fill('   ')
    await expect(send).toBeDisabled()
    await field.fill('  seventh  ')
    const held = await holdRequests(page, COMMENTS, { method: 'POST' })
    await send.click()
    await held.arrived
    await expect(send).toBeDisabled()
    await held.release()
    await expect(list.getByRole('listitem').last()).toContainText('seventh')
    await expect(list.getByRole('listitem').last()).toBeInViewport()
    await expect(field).toHaveValue('')
    const { data } = await member.api
      .from('comments')
      .select('content')
      .eq('post_id', id)
      .eq('content', 'seventh')
    expect(data).toHaveLength(1)
  })

  await test.step('FEED-07 a failed comment keeps its text, can be sent again, and notifies nobody', async () => {
    const card = page.locator(`[data-post="${far}"]`)
    await card.getByRole('button', { name: 'Comment', exact: true }).click()
    const field = card.getByRole('textbox', { name: 'Add a comment...' })
    await field.fill('Can you hear me?')
    problems.expect(/comments/)
    problems.expect(/send comment/)
    const undo = await failRequests(page, COMMENTS, { method: 'POST' })
    await card.getByRole('button', { name: 'Post', exact: true }).click()
    await problems.arrived()
    await expect(card.getByRole('button', { name: 'Post', exact: true })).toBeEnabled()
    await expect(field).toHaveValue('Can you hear me?')
    expect((await author.api.from('notifications').select('type')).data).toEqual([])
    await undo()
    await card.getByRole('button', { name: 'Post', exact: true }).click()
    await expect(card.getByRole('list', { name: 'Comments' }).getByText('Can you hear me?')).toBeVisible()
    expect((await author.api.from('notifications').select('type,actor_id')).data).toEqual([
      { type: 'comment', actor_id: member.id },
    ])
  })

  await test.step('FEED-08 a like notifies the author once, and own actions notify nobody', async () => {
    const like = page.locator(`[data-post="${theirs}"]`).getByRole('button', { name: 'Like', exact: true })
    for (const expected of [1, 0, 1, 0, 1]) {
      await like.click()
      await expect.poll(() => likeCount(liked, theirs)).toBe(expected)
    }
    await page.locator(`[data-post="${own}"]`).getByRole('button', { name: 'Like', exact: true }).click()
    await expect.poll(() => likeCount(member, own)).toBe(1)
    expect((await liked.api.from('notifications').select('type,post_id')).data).toEqual([
      { type: 'like', post_id: theirs },
    ])
    expect((await member.api.from('notifications').select('type')).data).toEqual([])
  })
})

test('FEED-06 scrolling the comments loads more of them', { tag: '@long' }, async ({ page, member }) => {
  const id = await post(member, `Long talk ${member.username}`)
  const rows = Array.from({ length: 45 }, (_, index) => ({
    id: crypto.randomUUID(),
    post_id: id,
    user_id: member.id,
    content: `comment number ${index + 1}`,
  }))
  for (const row of rows) await member.api.from('comments').insert(row).throwOnError()
  await page.goto('/')
  const card = page.locator(`[data-post="${id}"]`)
  await card.getByRole('button', { name: 'View all 45 comments' }).click()
  const list = card.getByRole('list', { name: 'Comments' })
  await expect(list.getByText(/^comment number/)).toHaveCount(COMMENTS_PAGE)
  const last = list.getByText('comment number 45', { exact: true })
  await expect(async () => {
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await expect(last).toBeAttached({ timeout: 500 })
  }).toPass()
  await expect(list.getByRole('listitem')).toHaveCount(45)
})

/** Scrolls through a feed with `count` posts, and expects that each is shown once and that the page stays small. */
async function expectPaging(page: Page, member: Member, count: number): Promise<void> {
  const ids = await insertPosts(member, count)
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  const seen = new Set<string>()
  let most = 0
  await expect(async () => {
    for (let step = 0; step < 12; step += 1) {
      const { shown, nodes } = await page.evaluate(async () => {
        // Wait until rows cover the whole window without gaps, so that no post is skipped.
        const isDrawn = () => {
          const boxes = [...document.querySelectorAll('[role="feed"] > [data-index]')].map((row) =>
            row.getBoundingClientRect(),
          )
          const isAtStart = window.scrollY === 0
          const isAtEnd = window.scrollY + window.innerHeight > document.documentElement.scrollHeight - 200
          const isTiled = boxes.every(
            ({ top }, index) => Math.abs(top - (boxes[index - 1]?.bottom ?? top)) < 2,
          )
          const start = boxes[0]?.top ?? Number.POSITIVE_INFINITY
          const end = boxes.at(-1)?.bottom ?? 0
          return isTiled && (isAtStart || start <= 0) && (isAtEnd || end >= window.innerHeight)
        }
        do await new Promise(requestAnimationFrame)
        while (!isDrawn())
        const posts = [...document.querySelectorAll('[data-post]')]
        const drawn = {
          shown: posts.map((post) => post.getAttribute('data-post') ?? ''),
          nodes: document.querySelectorAll('*').length,
        }
        window.scrollBy({ top: window.innerHeight * 0.9 })
        return drawn
      })
      most = Math.max(most, nodes)
      expect(new Set(shown).size).toBe(shown.length)
      for (const id of shown) seen.add(id)
    }
    expect(ids.filter((id) => !seen.has(id))).toEqual([])
  }).toPass({ timeout: 150_000, intervals: [0] })
  expect(most).toBeLessThanOrEqual(1_400)
}

test('FEED-09 the feed loads more pages while scrolling, each post once, and the page stays small', async ({
  page,
  member,
}) => {
  await expectPaging(page, member, 100)
})

test('FEED-09 the feed loads 400 posts while scrolling, each once, and the page stays small', {
  tag: '@long',
}, async ({ page, member }) => {
  await expectPaging(page, member, 400)
})

test('FEED-09 loading more does not move the posts on screen, and returning restores the scroll offset', {
  tag: '@long',
}, async ({ page, member }) => {
  await insertPosts(member, 40)
  const held = await holdRequests(page, NEXT_PAGES)
  await page.goto('/')
  const posts = page.getByRole('article')
  await expect(posts.first()).toBeVisible()
  await page.mouse.move(640, 500)
  for (let step = 0; step < 8; step += 1) await page.mouse.wheel(0, 500)
  await held.arrived
  // Measure a few frames apart: two measurements within one frame of a smooth scroll are equal.
  const place = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 8; frame += 1) await new Promise(requestAnimationFrame)
      const visible = [...document.querySelectorAll('[data-post]')].find(
        (each) => each.getBoundingClientRect().top >= 60,
      )
      return {
        id: visible?.getAttribute('data-post'),
        top: Math.round(visible?.getBoundingClientRect().top ?? 0),
      }
    })
  const settled = async () => {
    let before = await place()
    await expect(async () => {
      const now = await place()
      const isStill = now.id === before.id && now.top === before.top
      before = now
      expect(isStill).toBe(true)
    }).toPass()
    return before
  }
  const before = await settled()
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const heightBefore = await height()
  await held.release()
  await expect.poll(height).toBeGreaterThan(heightBefore)
  expect(await settled()).toEqual(before)

  await page.getByRole('link', { name: 'Messages' }).click()
  await expect(page.getByRole('heading', { name: 'Your Messages' })).toBeVisible()
  await page.goBack()
  await expect(page.locator(`[data-post="${before.id}"]`)).toBeVisible()
  expect(await settled()).toEqual(before)
})

test('FEED-09 posts of others wait behind a pill instead of pushing the page', async ({
  page,
  member,
  newMember,
}) => {
  await post(member, `Mine ${member.username}`)
  const clock = await takeClock(page)
  await page.goto('/')
  await expect(page.getByText(`Mine ${member.username}`)).toBeVisible()
  const author = await newMember()
  await post(author, `Fresh ${author.username}`)
  await clock.leap(NEXT_LOOK)
  const pill = await boxOf(page.getByRole('button', { name: 'New posts' }))
  // Measure the name, because the link around it is higher.
  const link = page.getByRole('article').first().getByRole('link').first()
  const name = await boxOf(link.locator('span'))
  expect(pill.y + pill.height, 'the button leaves the author free').toBeLessThanOrEqual(name.y)
  await page.getByRole('button', { name: 'New posts' }).click()
  await expect(page.getByRole('article').first()).toContainText(`Fresh ${author.username}`)
  await expect(page.getByRole('button', { name: 'New posts' })).toBeHidden()
})

test('FEED-11 a commenter deletes their comment, and the author any under their post', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const other = await newMember()
  const id = await post(member, `With comments ${member.username}`)
  await other.api.from('comments').insert({ post_id: id, user_id: other.id, content: 'from the other' })
  await member.api.from('comments').insert({ post_id: id, user_id: member.id, content: 'from me' })
  await page.goto('/')
  const card = page.locator(`[data-post="${id}"]`)
  await card.getByRole('button', { name: 'Comment', exact: true }).click()
  for (const content of ['from the other', 'from me']) {
    const item = card.getByRole('listitem').filter({ hasText: content })
    await item.hover()
    await item.getByRole('button', { name: /^Options of the comment/ }).click()
    await page.getByRole('menuitem', { name: 'Delete comment' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(item).toHaveCount(0)
  }
  await expect
    .poll(async () => (await member.api.from('comments').select('id').eq('post_id', id)).data)
    .toEqual([])
})

test('FEED-06 a comment over its limit is marked and not sent', { tag: '@long' }, async ({
  page,
  member,
}) => {
  const id = await post(member, `Short please ${member.username}`)
  await page.goto('/')
  const card = page.locator(`[data-post="${id}"]`)
  await card.getByRole('button', { name: 'Comment', exact: true }).click()
  await card.getByRole('textbox', { name: 'Add a comment...' }).fill('x'.repeat(1_003))
  await expect(card.getByRole('alert')).toHaveText('3 characters too many')
  await expect(card.getByRole('button', { name: 'Post', exact: true })).toBeDisabled()
})

test('FEED-09 a page that fails to load is requested again on demand only', { tag: '@long' }, async ({
  page,
  member,
  problems,
}) => {
  await insertPosts(member, 30)
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  problems.expect(/rest\/v1\/posts/, /read feed/)
  let asked = 0
  page.on('request', (request) => {
    if (NEXT_PAGES.test(request.url())) asked += 1
  })
  const allow = await answerWith(page, NEXT_PAGES, {
    status: 403,
    json: { code: '42501', message: 'permission denied' },
  })
  await expect(async () => {
    await page.mouse.wheel(0, 2_000)
    expect(asked).toBeGreaterThan(0)
  }).toPass()
  const afterScroll = asked
  // An endless loop would send a request in each of these sixty frames.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 60; frame += 1) await new Promise(requestAnimationFrame)
  })
  expect(asked - afterScroll).toBeLessThanOrEqual(2)
  await allow()
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const before = await height()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(height).toBeGreaterThan(before)
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('FEED-09 the pill scrolls to the top, also from far down', { tag: '@long' }, async ({
  page,
  member,
  newMember,
}) => {
  await insertPosts(member, 30)
  const clock = await takeClock(page)
  await page.goto('/')
  await expect(page.getByRole('article').first()).toBeVisible()
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('j')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(800)
  const author = await newMember()
  await post(author, `Far above ${author.username}`)
  await clock.leap(NEXT_LOOK)
  await page.getByRole('button', { name: 'New posts' }).click()
  await expect(page.getByText(`Far above ${author.username}`)).toBeInViewport()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('FEED-03 a picture without a thumbnail, as another client may post it, is shown', {
  tag: '@long',
}, async ({ page, member }) => {
  const { error } = await member.api
    .from('posts')
    .insert({ user_id: member.id, content: 'From elsewhere', image_url: dataUrl(noisePng(64, 7)) })
  expect(error).toBeNull()
  await page.goto('/')
  await expect(
    page
      .getByRole('article')
      .first()
      .getByRole('img', { name: `Photo by ${member.username}` }),
  ).toBeVisible()
})
