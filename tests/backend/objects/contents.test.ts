import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { STORAGE_SETUP_SQL } from '#/backend/database/setup-objects'
import { checkStoredObjects } from '#/backend/objects/check-stored'
import { openObjectFiles } from '#/backend/objects/object-files'
import { videoPath } from '#tests/e2e/fixtures/videos'
import { mp4, track } from '#tests/mp4-files'
import { animatedPng, animatedWebp, png, progressiveJpeg, stillAvif } from '#tests/picture-files'
import { photo } from '#tests/renderer/lib/media/files'
import {
  bucketOf,
  keyOf,
  PICTURE,
  put,
  type StoreMember,
  signedUrl,
  startStore,
  storedFiles,
  unwrap,
  upload,
  uploadVideo,
} from './support'

let store: Awaited<ReturnType<typeof startStore>>
let ada: StoreMember

beforeAll(async () => {
  store = await startStore()
  ada = await store.join('ada')
})
afterAll(() => store.dispose())

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
}
const LARGEST = { width: 4_096, height: 4_096 }
const SMALL = { width: 96, height: 64 }

const tryUpload = (extension: string, body: Uint8Array<ArrayBuffer>) =>
  put(ada, keyOf(ada.id, extension), body, TYPES[extension] ?? '')

const metadataOf = async (key: string) => {
  const sql = 'select id, metadata from storage.objects where name = $1'
  const { rows } = await store.backend.maintenance.query<{ id: string; metadata: Record<string, unknown> }>(
    sql,
    [key],
  )
  return rows[0]
}

describe('MEDIA-07 an upload is refused', () => {
  test.each<[string, string, Uint8Array<ArrayBuffer>, string, string]>([
    ['of 20,000 scans', 'jpg', progressiveJpeg(LARGEST, 20_000), '415', 'too much time or memory'],
    [
      'of a hundred scans of 17 megapixels',
      'jpg',
      progressiveJpeg(LARGEST, 100),
      '415',
      'too much time or memory',
    ],
    [
      'of a video of 170 million samples',
      'mp4',
      mp4([track({ samples: 170_000_000 })]),
      '415',
      'does not match',
    ],
    [
      'of a video whose pictures grow',
      'webm',
      new Uint8Array(readFileSync(videoPath('grows.webm'))),
      '415',
      'does not match',
    ],
    ['of an animated PNG', 'png', animatedPng(SMALL), '415', 'Animated'],
    ['of an animated WebP', 'webp', animatedWebp(SMALL), '415', 'Animated'],
    ['of an AVIF', 'webp', stillAvif(SMALL), '415', 'does not match'],
    [
      'of more than 17 megapixels',
      'png',
      png({ width: 4_097, height: 4_096 }),
      '413',
      'maximum allowed size',
    ],
    [
      'of a picture of more than 5 MB',
      'jpg',
      new Uint8Array([...progressiveJpeg(SMALL, 2), ...Buffer.alloc(5_000_000)]),
      '413',
      'maximum allowed size',
    ],
  ])('%s, and leaves no file', async (_, extension, body, statusCode, message) => {
    const files = await storedFiles(store.folder)
    const { error } = await tryUpload(extension, body)
    expect(error).toMatchObject({ status: 400, statusCode, message: expect.stringContaining(message) })
    expect(await storedFiles(store.folder)).toEqual(files)
  })
})

describe('MEDIA-07 what the server knows of a stored picture', () => {
  test.each<[string, string, Uint8Array<ArrayBuffer>, object]>([
    ['a WebP', 'webp', PICTURE, { width: 70, height: 50 }],
    ['a JPEG, as stored', 'jpg', photo('orientation-6.jpg'), { width: 80, height: 120 }],
    ['a progressive JPEG of ten scans', 'jpg', progressiveJpeg(LARGEST, 10), LARGEST],
    ['a PNG of one colour', 'png', png(LARGEST), LARGEST],
  ])('%s has its size in its metadata', async (_, extension, body, size) => {
    const { path } = await unwrap(tryUpload(extension, body))
    expect(await metadataOf(path)).toMatchObject({ metadata: { size: body.length, checked: true, ...size } })
  })

  test('a picture larger than its use is refused by the database', async () => {
    const { path } = await unwrap(tryUpload('webp', photo('lossy.webp')))
    const { path: large } = await unwrap(tryUpload('png', png(LARGEST)))
    const setAvatar = (avatar_path: string) =>
      ada.client.from('profiles').update({ avatar_path }).eq('id', ada.id).select('avatar_path')
    expect((await setAvatar(path)).data).toEqual([{ avatar_path: path }])
    expect((await setAvatar(large)).error).toMatchObject({
      code: '23514',
      message: 'This picture or video is too large.',
    })
  })

  test('signed links say whether the content was checked', async () => {
    const [picture, video, unchecked] = [await upload(ada), await uploadVideo(ada, 1_000), await upload(ada)]
    await store.backend.maintenance.query(
      `update storage.objects set metadata = metadata - 'checked' where name = $1`,
      [unchecked],
    )
    const many = await unwrap(bucketOf(ada).createSignedUrls([picture, video, unchecked], 3_600))
    expect(many).toEqual([
      expect.objectContaining({ path: picture, checked: true }),
      expect.objectContaining({ path: video, checked: true }),
      expect.not.objectContaining({ checked: expect.anything() }),
    ])
    const sign = async (key: string) => {
      const headers = { ...(await ada.headers()), 'content-type': 'application/json' }
      const url = `${store.backend.url}/storage/v1/object/sign/media/${key}`
      return (await fetch(url, { method: 'POST', headers, body: '{"expiresIn":60}' })).json()
    }
    expect(await sign(picture)).toMatchObject({ checked: true })
    expect(await sign(unchecked)).toEqual({ signedURL: expect.any(String) })
  })
})

describe('MEDIA-07 objects that were stored before uploads were checked', () => {
  /** Stores objects as an earlier version did: with their content as it was, and without `checked`. */
  async function storeUnchecked(contents: readonly Uint8Array[]) {
    const files = await openObjectFiles(join(store.folder, 'objects'))
    const keys: string[] = []
    for (const content of contents) {
      const key = await upload(ada)
      const row = await metadataOf(key)
      await store.backend.maintenance.query(
        `update storage.objects set metadata = jsonb_build_object('size', $2::integer, 'eTag', '"x"') where name = $1`,
        [key, content.length],
      )
      const { path = '' } = (await files.find(row?.id ?? '')) ?? {}
      await writeFile(path, content)
      keys.push(key)
    }
    const { maintenance: pg, exclusive } = store.backend
    const check = (isStopped = () => false) => checkStoredObjects({ pg, exclusive, files }, isStopped)
    return { files, keys, check }
  }

  test('are checked once and get their size; an object that fails stays, and its links do not say that it passed', async () => {
    const { files, keys, check } = await storeUnchecked([PICTURE, animatedWebp(SMALL)])
    const [good = '', bad = ''] = keys
    // Those of other tests are among them.
    expect(await check()).toMatchObject({ failed: 1 })
    const size = { width: 70, height: 50 }
    expect((await metadataOf(good))?.metadata).toMatchObject({ eTag: '"x"', ...size, checked: true })
    expect((await metadataOf(bad))?.metadata).toMatchObject({ eTag: '"x"', checked: false })
    const links = await unwrap(bucketOf(ada).createSignedUrls(keys, 3_600))
    expect(links.map((link) => 'checked' in link)).toEqual([true, false])
    expect((await fetch(await signedUrl(ada, bad))).status).toBe(200)
    const { error } = await ada.client.from('profiles').update({ avatar_path: bad }).eq('id', ada.id)
    expect(error).toMatchObject({ code: '23514' })

    const find = vi.spyOn(files, 'find')
    expect(await check()).toEqual({ passed: 0, failed: 0 })
    expect(find).not.toHaveBeenCalled()
  })

  test('are checked after a restart if the check was stopped, and a missing file does not end it', async () => {
    const { files, keys, check } = await storeUnchecked([PICTURE, PICTURE, PICTURE])
    const find = vi.spyOn(files, 'find')
    await check(() => find.mock.calls.length > 0)
    expect(find).toHaveBeenCalledTimes(1)
    const checkedOf = () => Promise.all(keys.map(async (key) => (await metadataOf(key))?.metadata.checked))
    expect(await checkedOf()).toEqual([undefined, undefined, undefined])
    await files.remove((await metadataOf(keys[1] ?? ''))?.id ?? '', [])
    await check()
    expect(await checkedOf()).toEqual([true, undefined, true])
  })

  test('are videos and AVIF of an earlier version, which checked less of them', async () => {
    const { check } = await storeUnchecked([])
    const [avif] = await store.backend.maintenance
      .query<{ id: string }>(
        `insert into storage.objects (bucket_id, name, metadata) values ('media', $1, '{"checked": true}') returning id`,
        [`${ada.id}/${crypto.randomUUID()}.avif`],
      )
      .then(({ rows }) => rows)
    const [video, picture] = [await uploadVideo(ada, 1_000), await upload(ada)]
    const checked = async () => {
      const links = await unwrap(bucketOf(ada).createSignedUrls([video, picture], 3_600))
      return links.map((link) => 'checked' in link)
    }
    await store.backend.maintenance.query(`comment on schema storage is 'setup before'`)
    await store.backend.maintenance.exec(STORAGE_SETUP_SQL)
    expect(await checked()).toEqual([false, true])
    const { rows } = await store.backend.maintenance.query(
      'select metadata from storage.objects where id = $1',
      [avif?.id],
    )
    expect(rows).toEqual([{ metadata: {} }])
    await check()
    expect(await checked()).toEqual([true, true])
  })
})
