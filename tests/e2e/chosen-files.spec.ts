import type { Locator, Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { composePhotos, photoEditor } from '#/renderer/lib/texts/later/compose-photos'
import { look } from './fixtures/photos'
import { colour } from './fixtures/stories'
import { startConversation } from './support/conversations'
import { chooseFiles } from './support/files'
import { dropPicture, holdReads, workerGate } from './support/held-files'
import { mediaOf, storedPhoto } from './support/media'
import { field, message } from './support/messages-page'
import { png } from './support/png'
import { expect, test } from './support/test'

const RED = { name: 'red.png', mimeType: 'image/png', buffer: colour(200, 30, 30) }
const WIDE = { name: 'wide.png', mimeType: 'image/png', buffer: png(60, 30, () => [30, 160, 60]) }
const BLUE = { name: 'blue.png', mimeType: 'image/png', buffer: colour(40, 60, 200) }

async function choose(page: Page, button: string | RegExp, file: typeof RED): Promise<void> {
  await chooseFiles(page.getByRole('button', { name: button, exact: true }), file)
}

/** Which of the two pictures it is. */
async function nameOf(page: Page, url: string): Promise<string> {
  const [red = 0, , blue = 0] = (await look(page, url)).colours.at(-1) ?? []
  return red > blue ? RED.name : BLUE.name
}

/** The name of the picture that an element shows; null while it shows none. Its address may change meanwhile. */
function shownName(image: Locator): Promise<string | null> {
  return image.evaluate(
    (element: HTMLImageElement, [first, second]) => {
      const pen = new OffscreenCanvas(1, 1).getContext('2d')
      pen?.drawImage(element, 0, 0, 1, 1)
      const [red = 0, , blue = 0, alpha = 0] = pen?.getImageData(0, 0, 1, 1).data ?? []
      if (alpha === 0) return null
      return red > blue ? first : second
    },
    [RED.name, BLUE.name] as const,
  )
}

test('STORY-01 a story whose picture is being replaced is not shared with the old one', {
  tag: '@long',
}, async ({ page, member }) => {
  const gate = await workerGate(page)
  await page.goto('/?story=new')
  const share = page.getByRole('button', { name: texts.makeStory.share, exact: true })
  await choose(page, texts.makeStory.choosePhoto, RED)
  await expect(share).toBeEnabled()

  await gate.hold()
  await dropPicture(page, BLUE.name, BLUE.buffer)
  await expect(share).toBeDisabled()
  // Neither by Enter in the form.
  await page
    .getByRole('dialog')
    .locator('form')
    .evaluate((form: HTMLFormElement) => form.requestSubmit())
  await expect(page.getByRole('progressbar', { name: texts.makeStory.working })).toBeVisible()
  await gate.release()
  await expect(share).toBeEnabled()
  await share.click()
  await expect(page).toHaveURL('/')
  const { data } = await member.api.from('stories').select('media_path').eq('user_id', member.id)
  expect(data).toHaveLength(1)
  const url = await mediaOf(member, data?.[0]?.media_path ?? null)
  expect(await nameOf(page, url ?? '')).toBe(BLUE.name)
})

test('STORY-01 a story is not shared while the file that was chosen for it is still being read', async ({
  page,
  member: _signedIn,
}) => {
  const release = await holdReads(page)
  await page.goto('/?story=new')
  const share = page.getByRole('button', { name: texts.makeStory.share, exact: true })
  await choose(page, texts.makeStory.choosePhoto, RED)
  await dropPicture(page, BLUE.name, BLUE.buffer)
  await expect(page.getByRole('img', { name: texts.makeStory.preview })).toBeVisible()
  await expect(share).toBeDisabled()
  await release()
  await expect(share).toBeEnabled()
  // The dropped picture came later.
  const shown = page.getByRole('img', { name: texts.makeStory.preview })
  expect(await nameOf(page, (await shown.getAttribute('src')) ?? '')).toBe(BLUE.name)
})

test('CREATE-02 CREATE-07 a post is shared at once with a photo that is being edited, and waits for it', {
  tag: '@long',
}, async ({ page, member }) => {
  const gate = await workerGate(page)
  await page.goto('/create')
  const share = page.getByRole('button', { name: texts.composer.share, exact: true })
  await choose(page, /^Choose (photos|a photo)$/, WIDE)
  await expect(page.getByRole('img', { name: texts.composer.previewAlt })).toBeVisible()
  await page.getByRole('button', { name: composePhotos.edit }).click()
  await page.getByRole('button', { name: photoEditor.rotateRight }).click()
  await gate.hold()
  await page.getByRole('button', { name: photoEditor.apply }).click()
  await share.click()
  await expect(page.getByRole('progressbar', { name: texts.composer.working })).toBeVisible()
  const form = page.locator('form', { has: page.getByRole('button', { name: texts.composer.posting }) })
  await form.evaluate((element: HTMLFormElement) => element.requestSubmit())
  await gate.release()
  await expect(page).toHaveURL('/')
  expect(await storedPhoto(member)).toMatchObject({ width: 30, height: 60 })
})

test('MSG-11 the photo that replaces another is the one that Enter sends', { tag: '@long' }, async ({
  page,
  member,
  other,
}) => {
  const id = await startConversation(other, member)
  const gate = await workerGate(page)
  await page.goto(`/messages?c=${id}`)
  await field(page).fill('This')
  await choose(page, 'Add a photo', RED)
  await expect(
    page.getByRole('progressbar', { name: /Preparing your photo|Reading your files/ }),
  ).toHaveCount(0)
  await gate.hold()
  await dropPicture(page, BLUE.name, BLUE.buffer)
  await field(page).press('Enter')
  await expect(page.getByText('Sent as soon as the photo is ready.')).toBeVisible()
  await gate.release()
  const sent = message(page, 'This').getByRole('img', { name: 'Your photo' })
  await expect(sent).toBeVisible()
  await expect(field(page)).toHaveValue('')
  await expect.poll(() => shownName(sent)).toBe(BLUE.name)
})

test('EDIT-02 a profile is not saved while the second of two pictures is being read', {
  tag: '@long',
}, async ({ page, member: _signedIn }) => {
  await page.addInitScript(() => {
    const read = File.prototype.arrayBuffer
    const waiting: (() => void)[] = []
    window.releaseReads = () => waiting.shift()?.()
    File.prototype.arrayBuffer = async function (this: File) {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return read.call(this)
    }
  })
  await page.goto('/edit-profile')
  const save = page.getByRole('button', { name: texts.editProfile.save })
  await choose(page, texts.editProfile.changePhoto, RED)
  await choose(page, texts.editProfile.changePhoto, BLUE)
  await page.evaluate(() => window.releaseReads())
  const crop = page.getByRole('dialog', { name: texts.editProfile.cropTitle })
  await expect(crop).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(crop).toBeHidden()
  await expect(save).toBeDisabled()
  await page.getByRole('textbox', { name: texts.editProfile.fullName }).press('Enter')
  await expect(page).toHaveURL('/edit-profile')
  await page.evaluate(() => window.releaseReads())
  await expect(crop).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(save).toBeEnabled()
})
