import { texts } from '#/renderer/lib/texts'
import { insertPhotoPost } from './support/photo-posts'
import { expect, test } from './support/test'
import { insertVideoPost } from './support/video-posts'

test('PROF-06 FEED-17 a video has its mark and length in grids, and on a shared card, and its post is counted as what it is', async ({
  page,
  member,
  newMember,
}) => {
  const tag = `tide${crypto.randomUUID().slice(0, 8)}`
  await insertPhotoPost(member, [{ size: [30, 20], altText: 'A pier' }], `#${tag}`)
  const mixed = await insertVideoPost(member, [{ altText: 'Waves' }, { durationMs: 61_000 }], `#${tag}`)
  const alone = await insertVideoPost(member, [{ durationMs: 61_000 }], `#${tag}`)
  const expectMarks = async () => {
    const cell = (id: string) => page.locator(`main a[href*="${id}"]`)
    await expect(cell(mixed)).toHaveAccessibleName(/Waves/)
    await expect(cell(mixed)).toContainText(texts.post.photos(2, [true, true]))
    await expect(cell(mixed)).toContainText(texts.post.video(45))
    await expect(cell(mixed).getByText(texts.post.clock(45), { exact: true })).toBeInViewport()
    await expect(cell(alone)).toContainText(texts.post.video(61))
    await expect(cell(alone).getByRole('img')).toHaveAccessibleName(texts.post.videoBy(member.username))
    await expect(page.getByText(/^Video, /)).toHaveCount(2)
  }
  await page.goto(`/profile/${member.username}`)
  await expectMarks()
  await page.goto(`/?tag=${tag}`)
  await expectMarks()

  const friend = await newMember()
  const id = crypto.randomUUID()
  await member.api
    .from('conversations')
    .insert({ id, participant_1: member.id, participant_2: friend.id })
    .throwOnError()
  await member.api
    .from('messages')
    .insert({ conversation_id: id, sender_id: member.id, content: '', shared_post_id: mixed })
    .throwOnError()
  await page.goto(`/messages?c=${id}`)
  const card = page.getByRole('link', { name: texts.messages.shared.post.open })
  await expect(card).toContainText(texts.post.video(45))
})

test('MEDIA-04 FEED-20 a post with videos is edited with the words of videos, and deleted with each of its objects', {
  tag: '@long',
}, async ({ page, member }) => {
  const id = await insertVideoPost(member, [{ altText: 'Waves' }, { altText: 'Foam' }])
  const objects = async () => (await member.api.storage.from('media').list(member.id)).data?.length
  expect(await objects()).toBe(4)
  await page.goto(`/?post=${id}`)
  const table = page.getByRole('dialog')
  await expect(table.getByRole('region', { name: texts.post.photos(2, [true, true]) })).toBeVisible()
  await expect(table.getByRole('button', { name: texts.post.nextMedium })).toBeVisible()
  await table.getByRole('button', { name: texts.post.options }).click()
  await page.getByRole('menuitem', { name: texts.post.editPost }).click()
  const form = page.getByRole('dialog', { name: texts.post.editPost })
  await expect(form.getByRole('textbox', { name: texts.post.altOf(2, 2, [true, true]) })).toHaveValue('Foam')
  await form.getByRole('button', { name: texts.cancel }).click()
  await table.getByRole('button', { name: texts.post.options }).click()
  await page.getByRole('menuitem', { name: texts.post.deletePost }).click()
  await page.getByRole('button', { name: texts.delete, exact: true }).click()
  await expect.poll(objects).toBe(0)
})
