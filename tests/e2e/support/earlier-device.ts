import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { addStory } from '../fixtures/stories'
import { startConversation, write } from './conversations'
import { insertPosts } from './posts'
import type { Member } from './test'

/**
 * What the build of 2026-11-27 (2f72eee6) kept on a device: IndexedDB with files in base64, and localStorage. Names in braces stand for ids and
 * usernames. A row that is being sent, a refused one and a reply were made of others by hand. It is never made again: it stands for members'
 * devices (docs/decisions/0105).
 */
const DEVICE = join(import.meta.dirname, '../fixtures/device-2026-11-27.json')

/** Makes the things of two members that the device refers to. Returns their ids, and the members' ids and usernames, by the names in braces. */
export async function namesFor(member: Member, other: Member) {
  const conversation = await startConversation(other, member)
  const greeting = await write(other, conversation, 'Are you there?')
  const [post = ''] = await insertPosts(other, 1)
  const thread = randomUUID()
  const first = { id: thread, post_id: post, user_id: other.id, content: 'First' }
  await other.api.from('comments').insert(first).throwOnError()
  const story = await addStory(other)
  const members = { me: member.id, other: other.id, 'my name': member.username, 'other name': other.username }
  return { conversation, greeting, post, thread, story, ...members }
}

/**
 * Writes what was kept into the browser, for this member and these things, as if it had been edited today. The app must not run.
 * @param storageKey of the server
 */
export async function restoreDevice(
  page: Page,
  names: Record<string, string>,
  storageKey = 'embedded',
): Promise<void> {
  const ids = new Map<string, string>()
  const kept = readFileSync(DEVICE, 'utf8')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => {
      ids.set(id, ids.get(id) ?? randomUUID())
      return ids.get(id) ?? id
    })
    .replaceAll(/\{([a-z ]+)\}/g, (_, name) => names[name] ?? '')
    .replaceAll(/("server": "|vignette[a-z.]*\.)embedded/g, `$1${storageKey}`)
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
export function countUnsent(page: Page): Promise<number> {
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
