import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openObjectFiles } from '#/backend/objects/object-files'
import { parseObjectKey } from '#/backend/objects/object-key'
import { copyTimes, createObjectSweep } from '#/backend/objects/sweep-objects'
import { openDataFolder } from '#/backend/storage/data-folder'
import { discard, scratchFolder, startedFolder, startTestBackend } from '#tests/backend/support/backend'
import {
  bucketOf,
  joinStore,
  keyOf,
  PICTURE,
  postPhoto,
  startStore,
  storedFiles,
  unwrap,
  upload,
} from './support'

let store: Awaited<ReturnType<typeof startStore>>
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store.dispose())

/** A sweep of this backend's folder, whose database was copied at these times. */
async function sweepWith(copies: number[] = []) {
  const { maintenance: pg, exclusive } = store.backend
  const files = await openObjectFiles(join(store.folder, 'objects'))
  return createObjectSweep({ pg, exclusive, files, copyTimes: async () => copies })
}

const HOUR = 3_600_000
const never = () => false

const idOf = async (key: string) => {
  const { rows } = await store.backend.maintenance.query<{ id: string }>(
    'select id from storage.objects where name = $1',
    [key],
  )
  return rows[0]?.id ?? ''
}
const makeOlder = (ids: string[]) =>
  store.backend.maintenance.query(
    "update storage.objects set created_at = now() - interval '25 hours' where id = any ($1::uuid[])",
    [ids],
  )

test('the sweep deletes uploads that nothing has used for a day, and nothing else', async () => {
  const ada = await store.join('ada')
  const { keys } = await postPhoto(ada)
  const [old, recent] = [await upload(ada), await upload(ada)]
  const [oldId, recentId, ...usedIds] = await Promise.all([old, recent, ...keys].map(idOf))
  await makeOlder([oldId ?? '', ...usedIds])
  const sweep = await sweepWith()
  expect(await sweep.sweep(never)).toBe(1)
  const files = await storedFiles(store.folder)
  expect(files).not.toContain(oldId)
  expect(files).toEqual(expect.arrayContaining([recentId, ...usedIds]))
  expect((await bucketOf(ada).download(old)).error).not.toBeNull()
  expect((await unwrap(bucketOf(ada).download(recent))).size).toBe(PICTURE.length)
})

test('the sweep deletes the objects of a deleted account at once', async () => {
  const ben = await store.join('ben')
  const { keys } = await postPhoto(ben)
  const ids = await Promise.all([...keys, await upload(ben)].map(idOf))
  await ben.client.rpc('delete_account').throwOnError()
  await (await sweepWith()).sweep(never)
  const files = await storedFiles(store.folder)
  for (const id of ids) expect(files).not.toContain(id)
  const { rows } = await store.backend.maintenance.query('select from storage.objects where id = any ($1)', [
    ids,
  ])
  expect(rows).toEqual([])
})

test('a deleted file is kept while a copy of the database may refer to it, and moved back if that is restored', async () => {
  const cyd = await store.join('cyd')
  const key = await upload(cyd)
  const id = await idOf(key)
  const { maintenance } = store.backend
  const { rows } = await maintenance.query('select * from storage.objects where id = $1', [id])
  await maintenance.query('delete from storage.objects where id = $1', [id])
  await (await sweepWith([Date.now()])).sweep(never)
  const kept = (await storedFiles(store.folder)).filter((name) => name.startsWith(`${id}.`))
  expect(kept).toHaveLength(1)
  expect((await bucketOf(cyd).download(key)).error).not.toBeNull()
  // Copies from before the upload and after the deletion do not refer to it.
  const purging = await sweepWith([Date.now() - HOUR, Date.now() + HOUR])

  await maintenance.query(
    `insert into storage.objects select * from jsonb_populate_record(null::storage.objects, $1)`,
    [JSON.stringify(rows[0])],
  )
  await purging.restoreFiles()
  expect((await unwrap(bucketOf(cyd).download(key))).size).toBe(PICTURE.length)

  await maintenance.query('delete from storage.objects where id = $1', [id])
  await (await sweepWith([Date.now()])).sweep(never)
  expect((await storedFiles(store.folder)).some((name) => name.startsWith(id))).toBe(true)
  await purging.sweep(never)
  expect((await storedFiles(store.folder)).some((name) => name.startsWith(id))).toBe(false)
})

test('the times of copies are those of snapshots and of databases that were set aside', async () => {
  const folder = await openDataFolder(await scratchFolder())
  await writeFile(join(folder.snapshots, '2026-11-20T08-30-00-000Z.tar.gz'), '')
  await writeFile(join(folder.snapshots, 'notes.txt'), '')
  await mkdir(`${folder.database}.damaged-1763000000000`)
  expect(await copyTimes(folder)).toEqual([1_763_000_000_000, Date.UTC(2026, 10, 20, 8, 30)])
})

test('a file without a row is deleted; one whose row is being inserted is not', async () => {
  const folder = join(await scratchFolder(), 'objects')
  const files = await openObjectFiles(folder)
  const content = async function* () {
    yield PICTURE
  }
  const [orphan, published] = [randomUUID(), randomUUID()]
  const paths = await Promise.all(
    [orphan, published].map(async (id) => (await files.write(id, content(), 1_000_000)).path),
  )
  await files.publish(orphan, paths[0] ?? '', async () => undefined)
  await files.publish(published, paths[1] ?? '', async () => {
    expect(await files.list()).toEqual([orphan])
  })
  expect((await files.list()).sort()).toEqual([orphan, published].sort())
  await files.remove(orphan, [])
  expect(await readdir(folder)).not.toContain(orphan)
})

test('an upload that the database refuses is moved back, and is no object', async () => {
  const folder = join(await scratchFolder(), 'objects')
  const files = await openObjectFiles(folder)
  const id = randomUUID()
  const { path } = await files.write(
    id,
    (async function* () {
      yield PICTURE
    })(),
    1_000_000,
  )
  await expect(files.publish(id, path, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(existsSync(path)).toBe(true)
  expect(await files.find(id)).toBeNull()
  expect(await files.list()).toEqual([])
})

test('what an interrupted upload has left is deleted at the start, also by earlier versions', async () => {
  const folder = join(await scratchFolder(), 'objects')
  const files = await openObjectFiles(folder)
  await mkdir(join(folder, 'unfinished'))
  const id = randomUUID()
  await files.write(
    id,
    (async function* () {
      yield PICTURE
    })(),
    1_000_000,
  )
  expect(existsSync(join(folder, 'uploads', id))).toBe(true)
  await openObjectFiles(folder)
  expect(existsSync(join(folder, 'uploads', id))).toBe(false)
  expect(existsSync(join(folder, 'unfinished'))).toBe(false)
})

test('a restored snapshot has its objects, although they were deleted since', { tags: 'long' }, async () => {
  const folder = await scratchFolder()
  const first = await startTestBackend(folder)
  const ada = await joinStore(first, 'ada')
  const key = await upload(ada)
  await first.stop()
  const second = await startTestBackend(folder)

  const headers = await ada.headers()
  const path = `${second.url}/storage/v1/object/media`
  const removal = { method: 'DELETE', headers: { ...headers, 'content-type': 'application/json' } }
  const removed = await fetch(path, { ...removal, body: JSON.stringify({ prefixes: [key] }) })
  expect(await removed.json()).toHaveLength(1)
  expect((await fetch(`${path}/${key}`, { headers })).status).toBe(400)
  await discard(second)
  const third = await startTestBackend(folder, { restore: true })
  const read = await fetch(`${third.url}/storage/v1/object/media/${key}`, { headers })
  expect((await read.arrayBuffer()).byteLength).toBe(PICTURE.length)
})

test('MEDIA-01 a folder whose bucket an earlier build removed has Storage again', async () => {
  const folder = await startedFolder()
  const first = await startTestBackend(folder)
  const ada = await joinStore(first, 'ada')
  await first.exclusive(() => first.maintenance.exec(`delete from storage.buckets where id = 'media'`))
  expect((await ada.client.rpc('media_in_storage')).data).toBe(false)
  await discard(first)
  const second = await startTestBackend(folder)
  const headers = await ada.headers()
  const body = new Blob([PICTURE], { type: 'image/webp' })
  const request = { method: 'POST', headers: { ...headers, 'content-type': 'image/webp' }, body }
  expect((await fetch(`${second.url}/storage/v1/object/media/${keyOf(ada.id)}`, request)).status).toBe(200)
})

test('keys have one spelling', () => {
  const member = randomUUID()
  expect(parseObjectKey(`${member}/${member}.webp`)).toMatchObject({ owner: member, mimetype: 'image/webp' })
  for (const name of [
    `${member}/${member}.WEBP`,
    `${member}/${member}.webp\n`,
    `${member}/${member}.constructor`,
  ]) {
    expect(parseObjectKey(name)).toBeNull()
  }
})
