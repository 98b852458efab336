import { randomUUID } from 'node:crypto'
import { texts } from '#/renderer/lib/texts'
import { photoPath } from './fixtures/photos'
import { chooseFiles } from './support/files'
import { holdRequests } from './support/network'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

test("NOTE-05 '@' suggests members, followed ones first, and only the name of a member is a link", async ({
  page,
  member,
  newMember,
}) => {
  const stem = `sam${randomUUID().slice(0, 6)}`
  const followed = await newMember()
  const stranger = await newMember()
  for (const [who, username] of [
    [followed, `${stem}.z`],
    [stranger, `${stem}.a`],
  ] as const) {
    await who.api.from('profiles').update({ username }).eq('id', who.id).throwOnError()
  }
  const follow = { follower_id: member.id, following_id: followed.id }
  await member.api.from('follows').insert(follow).throwOnError()
  const content = `With @${stem}.a and @nobody.${stem}`
  const [post = ''] = await insertPosts(stranger, 1, { content: () => content })

  await page.goto(`/?post=${post}`)
  const opened = page.getByRole('dialog', { name: /^Post by/ })
  await expect(opened.getByRole('link', { name: `@${stem}.a` })).toBeVisible()
  await expect(opened.getByText(`@nobody.${stem}`)).toBeVisible()
  await expect(opened.getByRole('link', { name: `@nobody.${stem}` })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.goto('/create')
  const field = page.getByPlaceholder("What's on your mind?")
  await field.pressSequentially(`With @${stem}`)
  const options = page.getByRole('listbox', { name: 'Members' }).getByRole('option')
  await expect(options).toHaveText([new RegExp(`${stem}\\.z`), new RegExp(`${stem}\\.a`)])
  await expect(options.nth(0)).toHaveAttribute('aria-selected', 'true')
  // Escape closes the list only.
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(field).toBeFocused()
  await field.pressSequentially('.')
  await expect(options).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(field).toHaveAttribute('aria-activedescendant', /-1$/)
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(`With @${stem}.a `)
  await field.pressSequentially(`and @${stem}`)
  await options.nth(0).click()
  await expect(field).toHaveValue(`With @${stem}.a and @${stem}.z `)
  await expect(field).toBeFocused()
})

test("NOTE-05 FEED-16 '@' and '#' stay before their name in text of the other direction", {
  tag: '@long',
}, async ({ page, member }) => {
  const content = `ضباب مع @${member.username}\nFog #ضباب`
  const [id = ''] = await insertPosts(member, 1, { content: () => content })
  await page.goto(`/?post=${id}`)
  const leftOf = (name: string, character: string) =>
    page
      .getByRole('dialog')
      .getByRole('link', { name })
      .evaluate((link, wanted) => {
        const range = document.createRange()
        const text = link.firstChild as Text
        const at = text.data.indexOf(wanted)
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        return range.getBoundingClientRect().left
      }, character)
  const mention = `@${member.username}`
  expect(await leftOf(mention, '@')).toBeLessThan(await leftOf(mention, member.username.charAt(0)))
  expect(await leftOf('#ضباب', '#')).toBeGreaterThan(await leftOf('#ضباب', 'ض'))
})

test("NOTE-05 '@' suggests members in comments, captions and messages, where Enter then sends", {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const stem = `pia${randomUUID().slice(0, 6)}`
  const other = await newMember()
  await other.api.from('profiles').update({ username: stem }).eq('id', other.id).throwOnError()
  const options = page.getByRole('listbox', { name: 'Members' }).getByRole('option')

  const [post = ''] = await insertPosts(other, 1)
  await page.goto(`/?post=${post}`)
  const opened = page.getByRole('dialog', { name: /^Post by/ })
  const comment = opened.getByPlaceholder('Add a comment...')
  await comment.pressSequentially(`Thanks @${stem.slice(0, -1)}`)
  await expect(options).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(comment).toHaveValue(`Thanks @${stem} `)
  await comment.pressSequentially('for')
  await page.keyboard.press('Shift+Enter')
  await comment.pressSequentially('this')
  await page.keyboard.press('Enter')
  await expect(comment).toHaveValue('')
  await expect(opened.getByRole('listitem').getByText(/for\nthis/)).toBeVisible()
  await expect(opened.getByRole('listitem').getByRole('link', { name: `@${stem}` })).toBeVisible()
  const comments = async () => (await member.api.from('comments').select('content').eq('post_id', post)).data
  await expect.poll(comments).toEqual([{ content: `Thanks @${stem} for\nthis` }])

  await test.step('in the caption of a story', async () => {
    await page.goto('/?story=new')
    await chooseFiles(
      page.getByRole('button', { name: texts.makeStory.choosePhoto }),
      photoPath('orientation-1.jpg'),
    )
    const caption = page.getByRole('textbox', { name: texts.makeStory.caption })
    await caption.pressSequentially(`Seen by @${stem.slice(0, -1)}`)
    await expect(options).toHaveText([new RegExp(stem)])
    // Escape closes the list, not the form.
    await page.keyboard.press('Escape')
    await expect(options).toHaveCount(0)
    await caption.press('Backspace')
    await expect(options).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(caption).toHaveValue(`Seen by @${stem} `)
    await page.getByRole('button', { name: texts.makeStory.share, exact: true }).click()
    await expect(caption).toHaveCount(0)
    const stories = async () =>
      (await member.api.from('stories').select('content').eq('user_id', member.id)).data
    await expect.poll(stories).toEqual([{ content: `Seen by @${stem}` }])
  })

  const conversation = { id: randomUUID(), participant_1: member.id, participant_2: other.id }
  await member.api.from('conversations').insert(conversation).throwOnError()
  await page.goto(`/messages?c=${conversation.id}`)
  const message = page.getByPlaceholder('Type a message...')
  await message.pressSequentially(`Hello @${stem.slice(0, -2)}`)
  await expect(options).toHaveCount(1)
  // While the next search is pending, Enter chooses a member of the last results.
  const search = await holdRequests(page, /\/rpc\/search_profiles/)
  await message.pressSequentially(stem.slice(-2, -1))
  await search.arrived
  await page.keyboard.press('Enter')
  await expect(message).toHaveValue(`Hello @${stem} `)
  await search.release()
  await page.keyboard.press('Enter')
  await expect(message).toHaveValue('')
})
