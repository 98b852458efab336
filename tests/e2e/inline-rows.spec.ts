import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { photoPath } from './fixtures/photos'
import { addStory, bubble, paddedMp4, showStoriesOf, viewer } from './fixtures/stories'
import { startConversation } from './support/conversations'
import { longStep } from './support/long-step'
import { keepObjectUrls } from './support/media'
import { message } from './support/messages-page'
import { dataUrl, noisePng } from './support/png'
import { expect, test } from './support/test'
import { visit } from './support/visit'

/** A picture in each format that a row may have. */
const pictures = async () => ({
  png: dataUrl(noisePng(24, 1)),
  jpeg: dataUrl(await readFile(photoPath('orientation-1.jpg')), 'image/jpeg'),
  webp: dataUrl(await readFile(photoPath('lossy.webp')), 'image/webp'),
})

const expectShown = async (image: Locator) => {
  await expect(image).toBeVisible()
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0)
}

test('MEDIA-01 rows with data URLs, inserted by hand as the specification says, look like any other in each format', {
  tag: '@steps',
}, async ({ page, member, other }) => {
  const formats = await pictures()
  const { api, id } = other
  await api.from('profiles').update({ avatar_url: formats.png }).eq('id', id).throwOnError()
  for (const [alt_text, image_url] of Object.entries(formats))
    await api
      .from('posts')
      .insert({ user_id: id, content: alt_text, alt_text, image_url, thumbnail_url: formats.png })
      .throwOnError()
  const conversation_id = await startConversation(other, member)
  for (const [content, image_url] of Object.entries(formats)) {
    const photo = { id: crypto.randomUUID(), sender_id: id, conversation_id, image_url }
    await api.from('message_media').insert(photo).throwOnError()
    const shown = { media_id: photo.id, thumbnail_url: formats.png, image_width: 24, image_height: 24 }
    await api
      .from('messages')
      .insert({ conversation_id, sender_id: id, content, ...shown })
      .throwOnError()
  }
  await showStoriesOf(page, [other])

  await page.goto(`/profile/${other.username}`)
  const main = page.getByRole('main')
  await expectShown(main.locator('img').first())
  for (const alt of Object.keys(formats)) await expectShown(main.getByRole('img', { name: alt, exact: true }))
  await visit(page, '/')
  for (const alt of Object.keys(formats))
    await expectShown(page.getByRole('feed').getByRole('img', { name: alt, exact: true }))
  const open = async ([name, media_url]: [string, string]) => {
    await visit(page, `/profile/${other.username}`)
    await main.getByRole('img', { name, exact: true }).click()
    await expectShown(page.getByRole('dialog').getByRole('img', { name, exact: true }))
    await visit(page, `/messages?c=${conversation_id}`)
    await message(page, name).getByRole('img').click()
    await expectShown(page.getByRole('dialog').getByRole('img'))
    const story = await addStory(other, { media_url })
    await visit(page, `/?story=${story}`)
    await expectShown(
      viewer(page, other.username).getByRole('img', { name: texts.stories.by(other.username) }),
    )
  }
  const [first, ...others] = Object.entries(formats)
  if (first !== undefined) await open(first)
  await longStep('in the other formats', async () => {
    for (const format of others) await open(format)
  })
})

for (const megabytes of [2, 20])
  test(`MEDIA-01 an inline video of ${megabytes} MB that an earlier build stored plays`, {
    tag: megabytes > 2 ? '@long' : [],
  }, async ({ page, member: _, other }) => {
    await keepObjectUrls(page)
    const small = await paddedMp4(500_000)
    const large = await paddedMp4(megabytes * 1_000_000)
    const type = { media_type: 'video', duration_ms: 45_000 } as const
    await addStory(other, { ...type, media_url: `data:video/mp4;base64,${small.toString('base64')}` })
    // The server no longer takes so large a row.
    await page.route(/\/rest\/v1\/stories\?select=media_type(,|%2C)media_url/, (route) =>
      route.fulfill({
        json: [{ media_type: 'video', media_url: `data:video/mp4;base64,${large.toString('base64')}` }],
      }),
    )
    await showStoriesOf(page, [other])
    await page.goto('/')
    await bubble(page, other.username).click()
    const video = viewer(page, other.username).locator('video')
    await expect
      .poll(() => video.evaluate((shown: HTMLVideoElement) => shown.currentTime))
      .toBeGreaterThan(0.2)
    const size = await video.evaluate((shown: HTMLVideoElement) => {
      const { fileOfUrl } = window as unknown as { fileOfUrl: (url: string) => Blob | undefined }
      return fileOfUrl(shown.src)?.size
    })
    expect(size).toBe(megabytes * 1_000_000)
  })
