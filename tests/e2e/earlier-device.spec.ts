import { texts } from '#/renderer/lib/texts'
import { composePhotos } from '#/renderer/lib/texts/later/compose-photos'
import { bubble, showStoriesOf, viewer } from './fixtures/stories'
import { countUnsent, namesFor, restoreDevice } from './support/earlier-device'
import { field, message } from './support/messages-page'
import { expect, test } from './support/test'
import { visit } from './support/visit'

test('MSG-04 MSG-09 CREATE-10 FEED-19 STORY-10 what an earlier build kept on a device is sent once, or is a draft', async ({
  page,
  member,
  other,
}) => {
  const names = await namesFor(member, other)
  const { conversation, post, thread } = names
  await showStoriesOf(page, [other])
  await restoreDevice(page, names)

  const rows = async () => {
    const { api, id } = member
    const all = await Promise.all([
      api.from('messages').select('content,image_width').eq('sender_id', id).order('created_at').order('id'),
      api.from('comments').select('content,parent_id').eq('user_id', id).order('content'),
      api.from('posts').select('content,media:post_media(position,width)').eq('user_id', id),
      api.from('stories').select('content,media_type,media_width').eq('user_id', id).order('content'),
    ])
    return all.map(({ data }) => data)
  }
  const media = [
    { position: 0, width: 30 },
    { position: 1, width: 30 },
  ]
  const messages = [
    { content: 'Inline photo', image_width: 30 },
    { content: 'Text one', image_width: null },
    { content: 'Stored photo', image_width: 30 },
  ]
  const others = [
    [
      { content: 'A comment', parent_id: null },
      { content: 'A reply', parent_id: thread },
    ],
    [{ content: 'A queued post', media }],
    [
      { content: 'A photo story', media_type: 'image', media_width: 36 },
      { content: 'A video story', media_type: 'video', media_width: 180 },
    ],
  ]
  await page.goto(`/messages?c=${conversation}`)
  await expect.poll(rows).toEqual([messages, ...others])

  await test.step('what was refused stays, until it is sent again', async () => {
    const refused = message(page, 'Text two')
    await expect(refused).toContainText(texts.outbox.notSent)
    await refused.getByRole('button', { name: texts.tryAgain }).click()
    messages.push({ content: 'Text two', image_width: null })
    await expect.poll(rows).toEqual([messages, ...others])
  })

  await test.step('drafts have their texts and photos', async () => {
    await expect(field(page)).toHaveValue('A draft of a message')
    await expect(page.getByRole('img', { name: 'Your photo' })).toHaveCount(3)
    await visit(page, '/create')
    await expect(page.getByPlaceholder(texts.composer.placeholder)).toHaveValue('A draft of a post')
    const list = page.getByRole('list', { name: composePhotos.list })
    await expect(list.getByRole('button', { name: /^Photo \d+ of \d+$/ })).toHaveCount(1)
    await visit(page, `/?post=${post}`)
    const comment = page.getByRole('dialog').getByPlaceholder(texts.post.commentPlaceholder)
    await expect(comment).toHaveValue('A draft of a comment')
    await visit(page, '/')
    await bubble(page, other.username).click()
    const reply = viewer(page, other.username).getByRole('textbox')
    await expect(reply).toHaveValue('A draft of a reply')
  })

  await expect.poll(() => countUnsent(page)).toBe(0)
  await page.reload()
  await expect(page.getByRole('feed').getByText('A queued post')).toBeVisible()
  expect(await rows()).toEqual([messages, ...others])
})
