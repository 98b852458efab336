import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { composePhotos } from '#/renderer/lib/texts/later/compose-photos'
import { addStory, bubble, showStoriesOf, viewer } from './fixtures/stories'
import { startConversation, write } from './support/conversations'
import { field, message } from './support/messages-page'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'
import { visit } from './support/visit'

/**
 * What the build of 2026-11-27 (2f72eee6) kept on a device: IndexedDB with files in base64, and localStorage. Names in braces stand for ids and
 * usernames. A row that is being sent, a refused one and a reply were made of others by hand. It is never made again: it stands for members'
 * devices (docs/decisions/0105).
 */
const DEVICE = join(import.meta.dirname, 'fixtures/device-2026-11-27.json')

/** Writes what was kept into the browser, for this member and these things, as if it had been edited today. The app must not run. */
async function restoreDevice(page: Page, names: Record<string, string>): Promise<void> {
  const ids = new Map<string, string>()
  const kept = readFileSync(DEVICE, 'utf8')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => {
      ids.set(id, ids.get(id) ?? randomUUID())
      return ids.get(id) ?? id
    })
    .replaceAll(/\{([a-z ]+)\}/g, (_, name) => names[name] ?? '')
    .replaceAll(/(editedAt\\?":) ?[\d.]+/g, `$1${Date.now()}`)
  await page.goto('/favicon.svg')
  await page.evaluate(async (text) => {
    const { localStorage: items, databases } = JSON.parse(text)
    for (const [key, value] of Object.entries<string>(items)) localStorage.setItem(key, value)
    const decode = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(decode)
      if (typeof value !== 'object' || value === null) return value
      const { $blob: bytes, type = '', name } = value as Record<string, string>
      if (bytes === undefined)
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, decode(each)]))
      const parts = [Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))]
      return name === undefined ? new Blob(parts, { type }) : new File(parts, name, { type })
    }
    for (const { name, version, stores } of databases) {
      const opening = indexedDB.open(name, version)
      opening.onupgradeneeded = () => {
        for (const { name: store, keyPath, indexes, keys, rows } of stores) {
          const created = opening.result.createObjectStore(store, { keyPath })
          for (const index of indexes) created.createIndex(index.name, index.keyPath)
          for (const [place, row] of rows.entries()) created.put(decode(row), keys?.[place])
        }
      }
      await new Promise((resolve, reject) => {
        opening.onsuccess = resolve
        opening.onerror = reject
      })
      opening.result.close()
    }
  }, kept)
}

/** The rows of the outbox. */
function countUnsent(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('vignette.pending'))
    const count = await done(database.transaction('rows').objectStore('rows').count())
    database.close()
    return count
  })
}

test('MSG-04 MSG-09 CREATE-10 FEED-19 STORY-10 what an earlier build kept on a device is sent once, or is a draft', {
  tag: '@storage',
}, async ({ page, member, other }) => {
  const conversation = await startConversation(other, member)
  const greeting = await write(other, conversation, 'Are you there?')
  const [post = ''] = await insertPosts(other, 1)
  const thread = randomUUID()
  const first = { id: thread, post_id: post, user_id: other.id, content: 'First' }
  await other.api.from('comments').insert(first).throwOnError()
  const story = await addStory(other)
  await showStoriesOf(page, [other])
  const things = { conversation, greeting, post, thread, story }
  await restoreDevice(page, {
    ...things,
    me: member.id,
    other: other.id,
    'my name': member.username,
    'other name': other.username,
  })

  const rows = async () => {
    const { api, id } = member
    const all = await Promise.all([
      api.from('messages').select('content,image_width').eq('sender_id', id).order('created_at').order('id'),
      api.from('comments').select('content,parent_id').eq('user_id', id).order('content'),
      api.from('posts').select('content,photos:post_photos(position,width)').eq('user_id', id),
      api.from('stories').select('content,media_type,media_width').eq('user_id', id).order('content'),
    ])
    return all.map(({ data }) => data)
  }
  const photos = [
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
    [{ content: 'A queued post', photos }],
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
