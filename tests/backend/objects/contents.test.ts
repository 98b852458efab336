import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STORAGE_SETUP_SQL } from '#/backend/database/setup-objects'
import { mp4, track } from '#tests/mp4-files'
import { animatedPng, animatedWebp, png, progressiveJpeg, stillAvif } from '#tests/picture-files'
import { photo } from '#tests/renderer/lib/media/files'
import {
  bucketOf,
  keyOf,
  PICTURE,
  put,
  type StoreMember,
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
      message: 'This picture is too large.',
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

test('MEDIA-07 a video that an earlier version has checked is checked by the app', async () => {
  const [video, picture] = [await uploadVideo(ada, 1_000), await upload(ada)]
  const pg = store.backend.maintenance
  await pg.query(`comment on schema storage is 'setup before'`)
  await pg.exec(STORAGE_SETUP_SQL)
  const links = await unwrap(bucketOf(ada).createSignedUrls([video, picture], 3_600))
  expect(links.map((link) => 'checked' in link)).toEqual([false, true])
})
