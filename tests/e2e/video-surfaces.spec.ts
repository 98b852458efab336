import type { Locator } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { lightTable } from '#/renderer/lib/texts/later/light-table'
import { videoPlayer } from '#/renderer/lib/texts/later/video-player'
import { boxOf } from './support/boxes'
import { goOffline } from './support/network'
import { insertPhotoPost } from './support/photo-posts'
import { expect, test } from './support/test'
import { insertVideoPost } from './support/video-posts'

const timeOf = (video: Locator) => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime)

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
  const strip = table.getByRole('navigation', { name: lightTable.filmstripWithVideos })
  await expect(strip.getByRole('button', { name: texts.post.photoOf(2, 2, [true, true]) })).toBeVisible()
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

test('FEED-20 FEED-14 the light table plays a video from where the feed was, without zoom, and its arrows lead on', async ({
  page,
  member,
}) => {
  await insertPhotoPost(member, [{ size: [30, 20], altText: 'A pier' }])
  await insertVideoPost(member, [{ altText: 'Waves' }, { altText: 'Foam' }], 'Tide')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const feed = page.getByRole('article', { name: texts.post.by(member.username) }).first()
  const waves = { name: /^Waves, video/ }
  const slider = { name: videoPlayer.position }
  await expect.poll(() => timeOf(feed.getByRole('group', waves).locator('video'))).toBeGreaterThan(0)
  await feed.getByRole('group', waves).focus()
  await page.keyboard.press('Space')
  await expect(page.locator('video')).toHaveJSProperty('paused', true)
  await feed.getByRole('slider', slider).fill('30')
  await expect.poll(() => timeOf(page.locator('video'))).toBe(30)
  await feed.getByRole('link', { name: 'just now' }).click()

  const table = page.getByRole('dialog')
  const player = table.getByRole('group', waves)
  const video = player.locator('video')
  await expect.poll(() => timeOf(video)).toBeGreaterThan(30)
  await expect(page.locator('video')).toHaveCount(1)
  const stage = await boxOf(table.getByRole('img', { name: 'Waves' }))
  const frame = await boxOf(player)
  expect(frame).toEqual(stage)
  // A click stops it, and a double click zooms nothing.
  await video.click()
  await expect(video).toHaveJSProperty('paused', true)
  await table.press('+')
  expect(await boxOf(table.getByRole('img', { name: 'Waves' }))).toEqual(stage)

  await table.getByRole('button', { name: texts.post.nextMedium }).click()
  const foam = table.getByRole('group', { name: /^Foam, video/ })
  await expect.poll(() => timeOf(foam.locator('video'))).toBeGreaterThan(0)
  await expect(page.locator('video')).toHaveCount(1)
  await foam.getByRole('slider', slider).press('ArrowRight')
  await expect(foam).toBeVisible()
  await table.press('ArrowRight')
  await expect(table.getByRole('img', { name: 'A pier' })).toBeVisible()
  await expect(page.locator('video')).toHaveCount(0)
})

test('FEED-18 FEED-20 offline, the light table shows the cover of a video and says why it does not play', {
  tag: '@long',
}, async ({ page, member, context, problems }) => {
  await insertVideoPost(member, [{ altText: 'Waves' }], 'Tide')
  await page.goto('/')
  const feed = page.getByRole('article', { name: texts.post.by(member.username) })
  await expect(feed.getByRole('img', { name: 'Waves' })).not.toHaveJSProperty('naturalWidth', 0)
  const open = feed.getByRole('link', { name: 'just now' })
  const table = page.getByRole('dialog')
  // The packaged app has its own scripts also offline.
  await open.click()
  await expect(table.getByRole('img', { name: 'Waves' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(table).toHaveCount(0)
  problems.allow(/ERR_INTERNET_DISCONNECTED|offline|WebSocket connection|live channel: Error|Failed to fetch/)
  await goOffline(context)
  await open.click()
  await expect(table.getByRole('img', { name: 'Waves' })).not.toHaveJSProperty('naturalWidth', 0)
  await table.getByRole('button', { name: videoPlayer.play, exact: true }).click()
  await expect(table.getByText(videoPlayer.offline)).toBeVisible()
})
