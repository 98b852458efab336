import type { TablesInsert } from '#/shared/database.types'
import { navigation } from './support/auth-forms'
import { dataUrl, noisePng } from './support/png'
import { expect, type Member, test } from './support/test'

/** Inserts a post with a picture. Returns its id. */
async function postPhoto(author: Member, content: string, location?: string): Promise<string> {
  const picture = dataUrl(noisePng(24, 1))
  const id = crypto.randomUUID()
  const row: TablesInsert<'posts'> = {
    id,
    user_id: author.id,
    content,
    ...(location !== undefined && { location }),
    image_url: picture,
    thumbnail_url: picture,
    image_width: 24,
    image_height: 24,
  }
  await author.api.from('posts').insert(row).throwOnError()
  return id
}

/** A word that no other test uses. */
const unique = () => `q${crypto.randomUUID().slice(0, 8)}`

test('FEED-16 FEED-22 NAV-03 a hashtag, a place and a word lead to their posts, and a followed hashtag brings them into Following', {
  tag: ['@long', '@smoke'],
}, async ({ page, member, newMember }) => {
  const [author, muted] = [await newMember(), await newMember()]
  const tag = unique()
  const region = unique()
  const place = `${unique()} Bay, ${region}`
  const shown = await postPhoto(author, `Low tide #${tag}, and more.`, place)
  const hidden = await postPhoto(muted, `Noise #${tag.toUpperCase()}`)
  await member.api.from('mutes').insert({ muter_id: member.id, muted_id: muted.id }).throwOnError()
  const main = page.getByRole('main')
  const cell = (id: string) => main.locator(`a[href*="${id}"]`)
  const card = page.locator(`article[data-post="${shown}"]`)

  await page.goto('/')
  await card.getByRole('link', { name: `#${tag}` }).click()
  await expect(page).toHaveURL(`/?tag=${tag}`)
  await expect(page.getByText('2 posts', { exact: true })).toBeVisible()
  await expect(cell(hidden)).toHaveCount(0)
  await test.step('a cell opens its post over the page', async () => {
    await cell(shown).click()
    await expect(page.getByRole('dialog', { name: 'Post' }).getByText('Low tide')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(`/?tag=${tag}`)
  })
  await page.getByRole('button', { name: `Follow #${tag}` }).click()
  const followedTags = async () => (await member.api.from('hashtag_follows').select('tag')).data
  await expect.poll(followedTags).toEqual([{ tag }])
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('tab', { name: 'Following' }).click()
  await expect(card).toBeVisible()
  await navigation(page).getByRole('link', { name: 'Explore' }).click()
  await expect(
    main.getByRole('region', { name: 'Recent photos and videos' }).locator(`a[href*="${shown}"]`),
  ).toBeVisible()
  await expect(cell(hidden)).toHaveCount(0)

  const search = page.getByRole('combobox', { name: 'Search' })
  await test.step('a place by its second word, by mouse', async () => {
    await search.fill(region.slice(0, 7).toUpperCase())
    await page.getByRole('group', { name: 'Places' }).getByRole('option', { name: place }).click()
    await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible()
    await expect(page.getByText('1 post', { exact: true })).toBeVisible()
    await expect(cell(shown)).toBeVisible()
  })

  await test.step('a hashtag, by keyboard', async () => {
    await search.fill(`#${tag.slice(0, 7)}`)
    await expect(page.getByRole('group', { name: 'Hashtags' }).getByRole('option')).toHaveText([tag])
    await search.press('ArrowDown')
    await search.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: `#${tag}` })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible()
  })

  await test.step('a word, even if Enter follows its last letter at once', async () => {
    await search.fill(region.slice(0, -2))
    // In one task: the list of results is not yet rendered for the last letters.
    await search.evaluate((input: HTMLInputElement, text) => {
      input.setSelectionRange(input.value.length, input.value.length)
      document.execCommand('insertText', false, text)
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    }, region.slice(-2))
    await expect(page).toHaveURL(`/?q=${region}`)
    await expect(main.getByRole('region', { name: 'Places' }).getByRole('link')).toHaveText(place)
    await expect(main.getByRole('region', { name: 'Posts' }).locator(`a[href*="${shown}"]`)).toBeVisible()
  })
})
