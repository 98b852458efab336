import type { Page } from '@playwright/test'

/** The queries that are on disk, by their hashes. */
export function readDisk(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(async () => {
    const known = await indexedDB.databases()
    if (!known.some(({ name }) => name === 'vignette.cache')) return {}
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('vignette.cache'))
    const texts = database.transaction('texts').objectStore('texts')
    const [keys, values] = await Promise.all([done(texts.getAllKeys()), done(texts.getAll())])
    database.close()
    const hashes = keys.map((key) => (Array.isArray(key) ? String(key[2]) : ''))
    return Object.fromEntries(hashes.map((hash, index) => [hash, JSON.parse(String(values[index])).data]))
  })
}

/** The hashes of the queries that are on disk. */
export async function onDisk(page: Page): Promise<string[]> {
  return Object.keys(await readDisk(page))
}
