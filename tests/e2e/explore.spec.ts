import type { TablesInsert } from '#/shared/database.types'
import { navigation } from './support/auth-forms'
import { failRequests, holdRequests } from './support/network'
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

test('FEED-16 a hashtag leads to its posts and can be followed, which brings them into Following', async ({
  page,
  member,
  newMember,
}) => {
  const [author, other] = [await newMember(), await newMember()]
  const tag = unique()
  const first = await postPhoto(author, `One #${tag}, and more.`)
  const second = await postPhoto(other, `Two #${tag.toUpperCase()}`)
  await page.goto('/')
  await page
    .locator(`article[data-post="${first}"]`)
    .getByRole('link', { name: `#${tag}` })
    .click()
  await expect(page).toHaveURL(`/?tag=${tag}`)
  await expect(page).toHaveTitle(`#${tag} · Vignette`)
  await expect(page.getByRole('heading', { level: 1, name: `#${tag}` })).toBeVisible()
  await expect(page.getByText('2 posts', { exact: true })).toBeVisible()
  const cells = page.getByRole('main').getByRole('listitem')
  await expect(cells).toHaveCount(2)

  await test.step('a cell opens its post over the page', async () => {
    await cells.first().getByRole('link').click()
    const modal = page.getByRole('dialog', { name: 'Post' })
    await expect(modal.getByText('Two')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(`/?tag=${tag}`)
  })

  await page.getByRole('button', { name: `Follow #${tag}` }).click()
  await expect(page.getByRole('button', { name: `Unfollow #${tag}` })).toBeVisible()
  const followedTags = async () => (await member.api.from('hashtag_follows').select('tag')).data
  await expect.poll(followedTags).toEqual([{ tag }])
  await page.reload()
  await expect(page.getByRole('button', { name: `Unfollow #${tag}` })).toBeVisible()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('tab', { name: 'Following' }).click()
  for (const id of [first, second]) await expect(page.locator(`article[data-post="${id}"]`)).toBeVisible()

  // Its parts appear together.
  const people = await holdRequests(page, /rpc\/people_to_follow/)
  await page.goto('/?explore')
  await people.arrived
  await expect(page.getByRole('main').locator('[data-item]').first()).toBeAttached()
  const layout = page.locator('fieldset')
  await expect(layout).toHaveCSS('visibility', 'hidden')
  await people.release()
  await expect(layout).toHaveCSS('visibility', 'visible')
  const followed = page.getByRole('region', { name: 'Followed hashtags' }).getByRole('link')
  await expect(followed).toHaveText([`#${tag}`])
  await followed.click()
  await page.getByRole('button', { name: `Unfollow #${tag}` }).click()
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Popular hashtags' })).toBeVisible()
  await expect(followed).toHaveCount(0)

  await page.goto(`/?tag=${unique()}`)
  await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  await expect(page.getByText('0 posts')).toBeVisible()
  await expect(page.getByText('Posts with this hashtag appear here.')).toBeVisible()
  await page.goto(`/?place=${unique()}`)
  await expect(page.getByText('Posts from this place appear here.')).toBeVisible()
})

test('FEED-16 Explore shows recent photos, popular hashtags and people; the search box finds hashtags and places', async ({
  page,
  member,
  newMember,
}) => {
  const [author, muted] = [await newMember(), await newMember()]
  const tag = unique()
  const region = unique()
  const place = `${unique()} Bay, ${region}`
  const shown = await postPhoto(author, `Low tide #${tag}`, place)
  const hidden = await postPhoto(muted, `Noise #${tag}`)
  await member.api.from('mutes').insert({ muter_id: member.id, muted_id: muted.id }).throwOnError()
  const cell = (id: string) => page.getByRole('main').locator(`a[href*="${id}"]`)

  await page.goto('/')
  await navigation(page).getByRole('link', { name: 'Explore' }).click()
  await expect(page).toHaveURL('/?explore')
  await expect(page.getByRole('heading', { level: 1, name: 'Explore' })).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Recent photos' }).locator(`a[href*="${shown}"]`),
  ).toBeVisible()
  await expect(cell(hidden)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'People to follow' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Popular hashtags' }).getByRole('link').first()).toBeVisible()
  await expect(navigation(page).locator('[aria-current]')).toHaveAccessibleName('Explore')
  await test.step('a narrow window has the feeds and Explore above the page', async () => {
    await page.setViewportSize({ width: 900, height: 860 })
    const feeds = page.getByRole('navigation', { name: 'Feeds' })
    await expect(feeds.getByRole('link', { name: 'Explore' })).toHaveAttribute('aria-current', 'page')
    await feeds.getByRole('link', { name: 'Following' }).click()
    await expect(page.getByRole('tab', { name: 'Following' })).toHaveAttribute('aria-selected', 'true')
    await page.getByRole('main').getByRole('link', { name: 'Explore' }).click()
    await expect(page).toHaveURL('/?explore')
  })

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
    await expect(search).toHaveValue('')
    await expect(cell(shown)).toBeVisible()
    await expect(cell(hidden)).toHaveCount(0)
  })

  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible()
})

test('FEED-22 NAV-03 Enter shows people, hashtags, places and posts by any word, and the text leaves with the page', async ({
  openAs,
  newMember,
}) => {
  const page = await openAs(await newMember())
  const word = unique()
  const author = await newMember({ fullName: `Ines ${word}` })
  const [captioned, placed, described, other] = [
    await postPhoto(author, `Low tide, ${word.toUpperCase()}, and mud`),
    await postPhoto(author, 'Quiet', `Upper ${word}`),
    await postPhoto(author, 'Birds'),
    await postPhoto(author, `x${word}`),
  ]
  await author.api
    .from('posts')
    .update({ alt_text: `A heron at ${word}` })
    .eq('id', described)
    .throwOnError()
  await postPhoto(author, `#${word}`)
  await page.goto('/')
  const box = page.getByRole('combobox', { name: 'Search', exact: true })
  const main = page.getByRole('main')
  const cell = (id: string) => main.getByRole('region', { name: 'Posts' }).locator(`a[href*="${id}"]`)

  await test.step('Enter, while nothing is chosen, opens the results', async () => {
    await box.fill(word)
    await box.press('Enter')
    await expect(page).toHaveURL(`/?q=${word}`)
    await expect(page).toHaveTitle(`${word} · Vignette`)
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(`Results for “${word}”`)
    for (const id of [captioned, placed, described]) await expect(cell(id)).toBeVisible()
    await expect(cell(other)).toHaveCount(0)
    await expect(main.getByRole('region', { name: 'People' }).getByRole('link')).toContainText(`Ines ${word}`)
    await expect(main.getByRole('region', { name: 'Hashtags' }).getByRole('link')).toHaveText(`#${word}`)
    await expect(main.getByRole('region', { name: 'Places' }).getByRole('link')).toHaveText(`Upper ${word}`)
  })

  await test.step('the text stays with the results, also under an open post, and leaves with them', async () => {
    await expect(box).toHaveValue(word)
    await cell(placed).click()
    await expect(page.getByRole('dialog', { name: 'Post' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(box).toHaveValue(word)
    await box.fill(`tide ${word}`)
    await page.getByRole('option', { name: 'All results' }).click()
    await expect(cell(captioned)).toBeVisible()
    await expect(cell(placed)).toHaveCount(0)
    await main.getByRole('heading', { level: 1 }).click()
    await page.goBack()
    await expect(box).toHaveValue(word)
    await page.getByRole('link', { name: 'Home' }).click()
    await expect(box).toHaveValue('')
  })

  await test.step('a search without results says what it looks for, even if Enter follows its last letter at once', async () => {
    await box.fill(word)
    // In one task: the list of results is not yet rendered for the last letters.
    await box.evaluate((input: HTMLInputElement, text) => {
      input.setSelectionRange(text.length, text.length)
      document.execCommand('insertText', false, 'zz')
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    }, word)
    await expect(page).toHaveURL(`/?q=${word}zz`)
    await expect(main.getByText('No posts found')).toBeVisible()
  })
})

test('FEED-12 FEED-16 NAV-03 PROF-01 PROF-02 Explore, search and a slow profile say what they know, and load by themselves later', async ({
  page,
  member,
  newMember,
  problems,
}) => {
  problems.expect(/ERR_CONNECTION_REFUSED/)
  // The last attempt of a read may find a connection.
  problems.allow(/read .*: offline/)
  const author = await newMember({ fullName: 'Ines Duarte' })
  const id = await postPhoto(author, 'Low tide')
  await member.api.from('profiles').update({ is_private: true }).eq('id', member.id).throwOnError()
  const undo = await failRequests(page, /rpc\/(explore_posts|search_profiles|search_topics)/)
  const box = page.getByRole('combobox', { name: 'Search', exact: true })

  await test.step('a grid and a search that cannot be loaded are not empty', async () => {
    await page.goto('/?explore')
    await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page.getByText('Nothing here yet')).toHaveCount(0)
    await box.fill('ines')
    await expect(page.getByText('Search works again when the connection is back.')).toBeVisible()
    await undo()
    await expect(page.getByRole('option').filter({ hasText: author.username })).toBeVisible({
      timeout: 20_000,
    })
    await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toHaveCount(0)
  })

  await test.step('a search stays on its page', async () => {
    await page.getByRole('link', { name: 'Home' }).click()
    await expect(page.locator(`article[data-post="${id}"]`)).toBeVisible()
    await expect(box).toHaveValue('')
  })

  await test.step('a slow profile shows the name and picture that are known', async () => {
    const held = await holdRequests(page, /rest\/v1\/profiles\?.*username=eq/)
    await page
      .locator(`article[data-post="${id}"]`)
      .getByRole('link', { name: author.username })
      .first()
      .click()
    await held.arrived
    const name = page.getByRole('heading', { level: 1, name: author.username })
    await expect(name).toBeVisible()
    await expect(page.getByRole('main').getByRole('status')).toBeVisible()
    const box = await name.boundingBox()
    await held.release()
    await expect(page.getByRole('main').getByText('Ines Duarte')).toBeVisible()
    await expect(page.getByRole('main').getByRole('button', { name: 'Follow' })).toBeVisible()
    expect((await name.boundingBox())?.y, 'the name does not move').toBe(box?.y)
  })

  await test.step('the own profile of a private account has a lock', async () => {
    await page.goto(`/profile/${member.username}`)
    await expect(page.getByRole('main').getByRole('img', { name: 'Private Account' })).toBeVisible()
  })
})
