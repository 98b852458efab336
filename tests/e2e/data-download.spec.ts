import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { storedVideo } from './fixtures/videos'
import { failRequests, holdRequests } from './support/network'
import { insertPhotoPost } from './support/photo-posts'
import { dataUrl, noisePng } from './support/png'
import { insertPosts } from './support/posts'
import { expect, type Member, test } from './support/test'
import { insertVideoPost } from './support/video-posts'

const HOSTILE = `</style></title><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`

function region(page: Page) {
  return page.getByRole('region', { name: 'Account' })
}

interface ExportedPost {
  id: string
  content: string
  photos: { picture: string; video?: string; captions?: string; alt_text: string | null; camera: unknown }[]
}

/** Presses the button and returns the saved file's name and content. */
async function download(page: Page, button = 'Download') {
  const saved = page.waitForEvent('download')
  await region(page).getByRole('button', { name: button, exact: true }).click()
  const file = await saved
  const files = unzipSync(new Uint8Array(await readFile(await file.path())))
  return { name: file.suggestedFilename(), files }
}

function read(files: Record<string, Uint8Array>, name: string) {
  const bytes = files[name]
  if (bytes === undefined) throw new Error(`${name} is not in ${Object.keys(files).join(', ')}`)
  return JSON.parse(strFromU8(bytes))
}

/** A conversation of the two members, with alternating messages. */
async function talk(first: Member, second: Member, lines: string[]): Promise<void> {
  const id = crypto.randomUUID()
  await first.api
    .from('conversations')
    .insert({ id, participant_1: first.id, participant_2: second.id })
    .throwOnError()
  for (const [index, content] of lines.entries()) {
    const sender = index % 2 === 0 ? first : second
    await sender.api
      .from('messages')
      .insert({ conversation_id: id, sender_id: sender.id, content })
      .throwOnError()
  }
}

test('SAFE-05 the zip contains all data of the member, with decoded pictures, and no data of others', {
  tag: '@smoke',
}, async ({ page, member, newMember }) => {
  const [friend, stranger] = await Promise.all([newMember(), newMember()])
  const { api, id } = member
  const picture = noisePng(40, 1)
  const postIds = await insertPosts(member, 30, { thumbnailBytes: 900 })
  await api
    .from('posts')
    .insert({ user_id: id, content: 'By hand', alt_text: 'Noise', image_url: dataUrl(picture) })
    .throwOnError()
  const [theirs = ''] = await insertPosts(friend, 1, { content: () => 'Their words' })
  await insertPosts(stranger, 1, { content: () => 'A stranger’s words' })
  await api.from('comments').insert({ user_id: id, post_id: theirs, content: 'My comment' }).throwOnError()
  const answered = randomUUID()
  const comment = { id: answered, user_id: friend.id, post_id: theirs, content: 'Their comment' }
  await friend.api.from('comments').insert(comment).throwOnError()
  await api.from('comment_likes').insert({ user_id: id, comment_id: answered }).throwOnError()
  await api.from('likes').insert({ user_id: id, post_id: theirs }).throwOnError()
  await api.from('saved_posts').insert({ user_id: id, post_id: theirs }).throwOnError()
  await api.from('follows').insert({ follower_id: id, following_id: friend.id }).throwOnError()
  await friend.api.from('follows').insert({ follower_id: friend.id, following_id: id }).throwOnError()
  await api
    .from('stories')
    .insert({ user_id: id, media_type: 'image', media_url: dataUrl(picture), content: 'My story' })
    .throwOnError()
  await api.rpc('block_members', { ids: [stranger.id] }).throwOnError()
  await api.from('mutes').insert({ muter_id: id, muted_id: friend.id }).throwOnError()
  await talk(member, friend, ['Hello', 'And to you'])
  await talk(friend, stranger, ['Not for you'])

  await page.goto('/settings')
  const { name, files } = await download(page)
  await expect(region(page).getByText(`${name} is saved.`)).toBeVisible()
  expect(name).toMatch(new RegExp(`^vignette-${member.username}-\\d{4}-\\d\\d-\\d\\d\\.zip$`))

  expect(read(files, 'profile.json')).toMatchObject({ username: member.username, email: member.email })
  const posts: ExportedPost[] = read(files, 'posts.json')
  expect(posts).toHaveLength(31)
  expect(posts.map((post) => post.id)).toEqual(expect.arrayContaining(postIds))
  const byHand = posts.find(({ content }) => content === 'By hand')
  expect(byHand?.photos.map(({ alt_text }) => alt_text)).toEqual(['Noise'])
  expect(Buffer.from(files[byHand?.photos[0]?.picture ?? ''] ?? []).equals(picture)).toBe(true)
  expect(posts.every(({ photos }) => photos.every((photo) => files[photo.picture] !== undefined))).toBe(true)
  expect(read(files, 'comments.json')).toEqual([
    expect.objectContaining({ content: 'My comment', post_id: theirs, post_by: friend.username }),
  ])
  expect(read(files, 'comment-likes.json')).toMatchObject([
    { comment_id: answered, comment_by: friend.username },
  ])
  for (const list of ['likes.json', 'saved.json']) {
    expect(read(files, list)).toEqual([
      expect.objectContaining({ post_id: theirs, post_by: friend.username }),
    ])
  }
  const people = read(files, 'people.json')
  for (const list of ['followers', 'following']) {
    expect(people[list]).toEqual([
      expect.objectContaining({ person: { username: friend.username, full_name: friend.fullName } }),
    ])
  }
  expect(people.blocked).toMatchObject([{ person: { username: stranger.username } }])
  expect(people.muted).toMatchObject([{ person: { username: friend.username } }])
  const [story] = read(files, 'stories.json')
  expect(story.content).toBe('My story')
  expect(Buffer.from(files[story.media] ?? []).equals(picture)).toBe(true)
  const [conversation, ...others] = read(files, 'messages.json')
  expect(others).toEqual([])
  expect(conversation.with.username).toBe(friend.username)
  expect(conversation.messages).toMatchObject([
    { content: 'Hello', is_mine: true },
    { content: 'And to you', is_mine: false },
  ])
  const everything = Object.values(files)
    .map((bytes) => strFromU8(bytes, true))
    .join('\n')
  for (const foreign of ['A stranger', 'Not for you', 'Their comment', 'Their words']) {
    expect(everything).not.toContain(foreign)
  }
})

test('SAFE-05 the zip contains every photo of a post, with its alt text', {
  tag: '@long',
}, async ({ page, member }) => {
  const id = await insertPhotoPost(member, [{ size: [30, 20], altText: 'The first' }, { size: [20, 30] }])
  await page.goto('/settings')
  const { files } = await download(page)
  const [{ photos }]: [ExportedPost] = read(files, 'posts.json')
  expect(photos).toEqual([
    {
      picture: expect.stringMatching(`-${id}\\.png$`),
      width: 30,
      height: 20,
      alt_text: 'The first',
      camera: null,
    },
    {
      picture: expect.stringMatching(`-${id}-2\\.png$`),
      width: 20,
      height: 30,
      alt_text: null,
      camera: null,
    },
  ])
  const [first, second] = photos.map(({ picture }) => files[picture] ?? new Uint8Array())
  expect(first?.length).toBeGreaterThan(0)
  expect(second).not.toEqual(first)
  const html = strFromU8(files['index.html'] ?? new Uint8Array())
  for (const { picture } of photos) expect(html).toContain(`<img src="${picture}"`)
})

test('SAFE-05 the zip contains the videos of a post with their covers and captions', {
  tag: '@long',
}, async ({ page, member }) => {
  const captions = 'WEBVTT\n\n00:00.000 --> 00:01.000\nThe tide\n'
  const id = await insertVideoPost(member, [{ altText: 'Waves', captions }, { altText: 'Foam' }])
  await page.goto('/settings')
  const { files } = await download(page)
  const [{ photos }]: [ExportedPost] = read(files, 'posts.json')
  const path = (end: string) => expect.stringMatching(RegExp(`^posts/[\\d-]+-${id}${end}$`))
  expect(photos).toMatchObject([
    { picture: path('.png'), video: path('.mp4'), captions: path('.vtt'), alt_text: 'Waves' },
    { picture: path('-2.png'), video: path('-2.mp4'), alt_text: 'Foam' },
  ])
  expect(photos[1]).not.toHaveProperty('captions')
  const stored = await storedVideo('forty-five-seconds.mp4')
  for (const { video = '' } of photos) expect(Buffer.from(files[video] ?? []).equals(stored)).toBe(true)
  expect(strFromU8(files[photos[0]?.captions ?? ''] ?? new Uint8Array())).toBe(captions)
  const html = strFromU8(files['index.html'] ?? new Uint8Array())
  for (const { video, picture } of photos) {
    expect(html).toContain(`<video src="${video}"`)
    expect(html).toContain(`poster="${picture}"`)
  }
})

test('SAFE-05 the page in the zip shows everything offline, and escapes hostile content', {
  tag: '@long',
}, async ({ page, member, newMember, context }) => {
  const { api, id } = member
  const friend = await newMember({ username: `a..${member.username}`, fullName: '<script>x</script>' })
  await api
    .from('profiles')
    .update({ bio: HOSTILE, full_name: '<b>Bold</b>', website: 'https://example.com/"><script>x</script>' })
    .eq('id', id)
    .throwOnError()
  await api
    .from('posts')
    .insert({
      user_id: id,
      content: HOSTILE,
      location: '../../../etc',
      alt_text: `"><script>document.title='owned'</script>`,
      image_url: dataUrl(noisePng(40, 1)),
    })
    .throwOnError()
  await talk(member, friend, [HOSTILE, '<!-- and -->'])
  await page.goto('/settings')
  const { files } = await download(page)
  const names = Object.keys(files)
  expect(names.filter((name) => !/^([a-z-]+\/)?[A-Za-z0-9-]+\.(json|html|png)$/.test(name))).toEqual([])

  const folder = await mkdtemp(join(tmpdir(), 'vignette-zip-'))
  try {
    for (const [name, bytes] of Object.entries(files)) {
      const path = resolve(folder, name)
      expect(path.startsWith(folder + sep)).toBe(true)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, bytes)
    }
    const album = await context.newPage()
    await album.goto(pathToFileURL(join(folder, 'index.html')).href)
    await expect(album).toHaveTitle(`${member.username} on Vignette`)
    await expect(album.getByRole('heading', { level: 1 })).toHaveText(member.username)
    await expect(album.getByText(HOSTILE).first()).toBeVisible()
    const photo = album.getByRole('figure').getByRole('img')
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    await album.getByText('2 messages').click()
    await expect(album.getByText('<!-- and -->')).toBeVisible()
    await expect(album.locator('script, [onerror], iframe')).toHaveCount(0)
    // The page's policy allows its own style only.
    expect(await album.evaluate(() => getComputedStyle(document.body).margin)).toBe('0px')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('SAFE-05 the download shows progress, continues during navigation, can be cancelled, and reports a failure', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  await insertPosts(member, 9, { thumbnailBytes: 900 })
  const files: string[] = []
  page.on('download', (file) => files.push(file.suggestedFilename()))
  await page.goto('/settings')
  const pictures = /\/rest\/v1\/posts\?select=id%2Cimage_url/
  const held = await holdRequests(page, pictures)
  await region(page).getByRole('button', { name: 'Download', exact: true }).click()
  await held.arrived
  const bar = region(page).getByRole('progressbar', { name: 'Download My Data' })
  await expect(region(page).getByText('Getting your posts… 0 of 9')).toBeVisible()
  await expect(bar).toHaveAttribute('aria-valuenow', '0')
  await expect(bar).toHaveAttribute('aria-valuemax', '9')
  await region(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(bar).toHaveCount(0)
  await expect(region(page).getByRole('button', { name: 'Download', exact: true })).toBeVisible()
  problems.expect(/rest\/v1\/stories/, /download my data/)
  await held.release()

  await page.clock.install()
  const undo = await failRequests(page, /\/rest\/v1\/stories/)
  await region(page).getByRole('button', { name: 'Download', exact: true }).click()
  await expect(async () => {
    await page.clock.runFor(5_000)
    await expect(region(page).getByRole('alert')).toContainText('nothing was saved', { timeout: 500 })
  }).toPass()
  await undo()

  const again = await holdRequests(page, pictures)
  const saved = page.waitForEvent('download')
  await region(page).getByRole('button', { name: 'Try again' }).click()
  await again.arrived
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page).toHaveURL('/')
  await again.release()
  expect((await saved).suggestedFilename()).toContain(member.username)
  expect(files, 'neither the cancelled nor the failed download saved a file').toHaveLength(1)
})
