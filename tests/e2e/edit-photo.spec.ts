import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { expectColours, expectPixelsAlone, look, photoPath, refusedFile } from './fixtures/photos'
import { chooseFiles } from './support/files'
import { mediaOf } from './support/media'
import { png } from './support/png'
import { expect, type Member, test } from './support/test'

const { editProfile } = texts

const RED = [0xd0, 0x1c, 0x1c, 255]
const GREEN = [0x1c, 0x9d, 0x3a, 255]
const BLUE = [0x1c, 0x43, 0xd0, 255]

/** Three upright bands, one frame wide each: red, green, blue. */
const BANDS = png(960, 320, (x) => {
  const [red = 0, green = 0, blue = 0] = x < 320 ? RED : x < 640 ? GREEN : BLUE
  return [red, green, blue]
})

async function choose(page: Page, file: Buffer | string): Promise<void> {
  await chooseFiles(
    page.getByRole('button', { name: 'Change profile photo' }),
    typeof file === 'string' ? file : { name: 'photo.png', mimeType: 'image/png', buffer: file },
  )
}

function cropDialog(page: Page) {
  return page.getByRole('dialog', { name: editProfile.cropTitle })
}

async function useAndSave(page: Page, member: Member): Promise<string> {
  await cropDialog(page).getByRole('button', { name: editProfile.usePhoto }).click()
  await expect(cropDialog(page)).toHaveCount(0)
  await page.getByRole('button', { name: editProfile.save }).click()
  await expect(page).toHaveURL(`/profile/${member.username}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(member.username)
  await expect(page.getByRole('main')).toBeFocused()
  const { data } = await member.api
    .from('profiles')
    .select('avatar_path')
    .eq('id', member.id)
    .single()
    .throwOnError()
  return (await mediaOf(member, data.avatar_path)) ?? ''
}

test.beforeEach(async ({ member, page }) => {
  await page.goto('/edit-profile')
  await expect(page.getByLabel('Username')).toHaveValue(member.username)
})

test('EDIT-02 MEDIA-02 the centre square of a photo is scaled to 320 px, and shows at once in form and header', async ({
  member,
  page,
}) => {
  await choose(page, BANDS)
  const avatar = await useAndSave(page, member)
  const picture = await look(page, avatar)
  expect(picture).toMatchObject({ width: 320, height: 320 })
  expectColours(picture.colours, [GREEN, GREEN, GREEN, GREEN, GREEN])
  const shown = page.getByRole('button', { name: 'Account menu' }).locator('img')
  await expect(shown).toHaveJSProperty('naturalWidth', 320)
  const source = (await shown.getAttribute('src')) ?? ''
  expectColours((await look(page, source)).colours, [GREEN, GREEN, GREEN, GREEN, GREEN])
})

test('EDIT-02 the photo is dragged and zoomed under the frame', { tag: '@long' }, async ({
  member,
  page,
}) => {
  await choose(page, BANDS)
  const photo = cropDialog(page).locator('img')
  const frame = await photo.locator('..').boundingBox()
  if (frame === null) throw new Error('no frame')
  await page.mouse.move(frame.x + 30, frame.y + 150)
  await page.mouse.down()
  await page.mouse.move(frame.x + 30 + frame.width / 2, frame.y + 170, { steps: 4 })
  await page.mouse.up()
  // After the release, the photo no longer follows the pointer.
  await page.mouse.move(frame.x + 10, frame.y + 10)
  await page.mouse.wheel(0, -350)
  await expect(cropDialog(page).getByRole('slider', { name: editProfile.cropZoom })).not.toHaveValue('1')
  await cropDialog(page).getByRole('slider', { name: editProfile.cropZoom }).fill('1')
  const { colours } = await look(page, await useAndSave(page, member))
  expectColours(colours.slice(0, 4), [RED, GREEN, RED, GREEN])
})

test('EDIT-02 keyboard only: arrow keys move the photo, plus and minus zoom', {
  tag: '@long',
}, async ({ member, page }) => {
  await choose(page, BANDS)
  const sideways = cropDialog(page).getByRole('slider', { name: editProfile.cropSideways })
  await expect(sideways).toBeFocused()
  for (let press = 0; press < 30; press++) await page.keyboard.press('ArrowLeft')
  await expect(sideways).toHaveValue('100')
  for (let press = 0; press < 4; press++) await page.keyboard.press('+')
  const zoom = cropDialog(page).getByRole('slider', { name: editProfile.cropZoom })
  expect(Number(await zoom.inputValue())).toBeGreaterThan(1.4)
  await page.keyboard.press('-')
  expect(Number(await zoom.inputValue())).toBeLessThan(1.4)
  const { colours } = await look(page, await useAndSave(page, member))
  expectColours(colours, [BLUE, BLUE, BLUE, BLUE, BLUE])
})

test('EDIT-02 a rotated photo is cropped as displayed', { tag: '@long' }, async ({ member, page }) => {
  await choose(page, photoPath('orientation-6.jpg'))
  const sideways = cropDialog(page).getByRole('slider', { name: editProfile.cropSideways })
  await sideways.focus()
  for (let press = 0; press < 20; press++) await page.keyboard.press('ArrowRight')
  const avatar = await useAndSave(page, member)
  expectPixelsAlone(avatar)
  const picture = await look(page, avatar)
  // 120 × 80 upright: the left 80 × 80 of it, whose left corners are red and blue.
  expect(picture).toMatchObject({ width: 80, height: 80 })
  expectColours([picture.colours[0] ?? [], picture.colours[2] ?? []], [RED, BLUE])
})

test('EDIT-02 Escape keeps the picture, and Remove clears it', { tag: '@long' }, async ({ member, page }) => {
  await choose(page, BANDS)
  await expect(cropDialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cropDialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: editProfile.removePhoto })).toHaveCount(0)
  await choose(page, BANDS)
  expect(await useAndSave(page, member)).not.toBe('')

  await page.goto('/edit-profile')
  await page.getByRole('button', { name: editProfile.removePhoto }).click()
  await expect(page.getByRole('button', { name: editProfile.changePhoto })).toBeFocused()
  await page.getByRole('button', { name: editProfile.save }).click()
  await expect(page).toHaveURL(`/profile/${member.username}`)
  const { data } = await member.api
    .from('profiles')
    .select('avatar_url,avatar_path')
    .eq('id', member.id)
    .single()
  expect(data).toEqual({ avatar_url: null, avatar_path: null })
  // The object goes with it.
  await expect.poll(async () => (await member.api.storage.from('media').list(member.id)).data).toEqual([])
})

test('EDIT-02 a file that is not a picture shows an error, and the input stays', { tag: '@long' }, async ({
  largePhotos,
  page,
}) => {
  await page.getByLabel('Bio').fill('Film.')
  const refused: [path: string, sentence: string][] = [
    [photoPath('notes.jpg'), texts.media['not-a-picture']],
    [largePhotos.tooLarge, texts.media['too-large']],
    [photoPath('claims-144-megapixels.jpg'), texts.media['too-many-pixels']],
    [photoPath('cut-off.jpg'), texts.media.broken],
    [photoPath('drawing.svg'), texts.media.unsupported],
    [photoPath('empty.jpg'), texts.media.empty],
  ]
  for (const [path, sentence] of refused) {
    await choose(page, path)
    await expect(page.getByRole('alert'), path).toHaveText(refusedFile(path, sentence))
    await expect(cropDialog(page)).toHaveCount(0)
  }
  await expect(page.getByLabel('Bio')).toHaveValue('Film.')
  await choose(page, BANDS)
  await expect(cropDialog(page)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})
