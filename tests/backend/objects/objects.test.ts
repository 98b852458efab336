import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '#tests/backend/support/backend'
import {
  bucketOf,
  keyOf,
  PICTURE,
  postPhoto,
  postStory,
  put,
  type StoreMember,
  signedUrl,
  startStore,
  storedFiles,
  unwrap,
  upload,
  uploadVideo,
  videoOf,
} from './support'

let store: Awaited<ReturnType<typeof startStore>>
let ada: StoreMember
let ben: StoreMember
let cyd: StoreMember
/** A private post of ada; ben follows ada, cyd does not. */
let photo: { post: string; keys: string[] }

beforeAll(async () => {
  store = await startStore()
  ada = await store.join('ada')
  ben = await store.join('ben')
  cyd = await store.join('cyd')
  await ada.client.from('profiles').update({ is_private: true }).eq('id', ada.id).throwOnError()
  await follow(ben, ada)
  photo = await postPhoto(ada)
})
afterAll(() => store.dispose())

async function follow(follower: StoreMember, member: StoreMember) {
  const request = { requester_id: follower.id, target_id: member.id }
  await follower.client.from('follow_requests').insert(request).throwOnError()
  await member.client.rpc('accept_follow_request', { requester: follower.id }).throwOnError()
}

const read = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(url, { method, headers })
  return { response, body: new Uint8Array(await response.arrayBuffer()) }
}

const NOT_FOUND = { statusCode: '404', error: 'not_found', message: 'Object not found' }

describe('uploads', () => {
  test('bytes of supabase-js; a form is refused', async () => {
    const key = keyOf(ada.id)
    const form = await bucketOf(ada).upload(key, new Blob([PICTURE], { type: 'image/webp' }))
    expect(form.error).toMatchObject({ statusCode: '415' })
    const data = await unwrap(put(ada, key, PICTURE, 'image/webp'))
    expect(data).toEqual({ path: key, id: expect.any(String), fullPath: `media/${key}` })
    const blob = await unwrap(bucketOf(ada).download(key))
    expect(blob.type).toBe('image/webp')
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(PICTURE)
  })

  test('refuses a key that exists, and keeps the object', async () => {
    const key = await upload(ada)
    const files = await storedFiles(store.folder)
    const { error } = await put(ada, key, PICTURE, 'image/webp')
    expect(error).toMatchObject({ statusCode: '409', message: 'The resource already exists' })
    expect(await storedFiles(store.folder)).toEqual(files)
    expect((await unwrap(bucketOf(ada).download(key))).size).toBe(PICTURE.length)
  })

  test('refuses the folder of another member and requests without a session', async () => {
    const { error } = await put(cyd, keyOf(ada.id), PICTURE, 'image/webp')
    expect(error).toMatchObject({ status: 400, statusCode: '403' })
    const visitor = { client: clientOf(store.backend) }
    const refused = await put(visitor, keyOf(ada.id), PICTURE, 'image/webp')
    expect(refused.error).toMatchObject({ statusCode: '403' })
  })

  test('refuses more bytes than the quota for files that nothing uses, with 429', async () => {
    const dora = await store.join('dora')
    await store.backend.maintenance.exec(
      "update private.quotas set per_day = 3000000 where kind = 'video_upload_bytes'",
    )
    await uploadVideo(dora, 2_000_000)
    const putVideo = (member: StoreMember, size: number) =>
      put(member, keyOf(member.id, 'mp4'), videoOf(size), 'video/mp4')
    expect((await putVideo(dora, 1_500_000)).error).toMatchObject({ status: 429, statusCode: '429' })
    await unwrap(putVideo(dora, 900_000))
    expect((await putVideo(dora, 900_000)).error).toMatchObject({ status: 429 })
    // There is room for one of two uploads at the same time, also if both were checked before either was stored.
    const emil = await store.join('emil')
    const both = await Promise.all([1, 2].map(() => putVideo(emil, 1_600_000)))
    expect(both.map(({ error }) => error?.status ?? 200).toSorted()).toEqual([200, 429])
    await store.backend.maintenance.exec(
      "update private.quotas set per_day = null where kind = 'video_upload_bytes'",
    )
  })
})

describe('signed links', () => {
  test('show the picture to a follower; a stranger gets none', async () => {
    const [key = ''] = photo.keys
    const { response, body } = await read(await signedUrl(ben, key))
    expect(response.status).toBe(200)
    expect(body).toEqual(PICTURE)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(PICTURE.length),
      'cache-control': 'private, max-age=3600, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': `inline; filename="${key.split('/')[1]}"`,
    })
    const { error } = await bucketOf(cyd).createSignedUrl(key, 3_600)
    expect(error).toMatchObject({ status: 400, statusCode: '404', message: 'Object not found' })
  })

  test('a batch withholds exactly the hidden objects', async () => {
    const own = await upload(cyd)
    const missing = keyOf(ada.id)
    const odd = ['', '../../secrets.json', `${cyd.id}/%2e%2e`, 'x'.repeat(2_000), '\0']
    const paths = [own, ...photo.keys, missing, ...odd]
    const signed = await unwrap(bucketOf(cyd).createSignedUrls(paths, 3_600))
    expect(signed.map(({ path }) => path)).toEqual(paths)
    expect(signed.filter(({ signedUrl: url }) => url !== null).map(({ path }) => path)).toEqual([own])
    const forBen = await unwrap(bucketOf(ben).createSignedUrls(photo.keys, 3_600))
    expect(forBen.every(({ error }) => error === null)).toBe(true)
  })

  test('keep their URL, so that caches work', async () => {
    const [key = ''] = photo.keys
    const [first, second] = [await signedUrl(ben, key), await signedUrl(ben, key)]
    expect(second).toBe(first)
  })

  test('answer HEAD, matching tags and ranges like any file server', async () => {
    const size = 300_000
    const url = await signedUrl(ada, await uploadVideo(ada, size))
    const video = videoOf(size)
    const head = await read(url, {}, 'HEAD')
    expect(head.response.headers.get('content-length')).toBe(String(size))
    expect(head.body).toHaveLength(0)
    const etag = head.response.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    const cached = await read(url, { 'if-none-match': `"other", W/${etag}` })
    expect([cached.response.status, cached.body.length]).toEqual([304, 0])
    // The rest of a list that no client sends is ignored, not parsed.
    const late = await read(url, { 'if-none-match': `${','.repeat(60_000)}${etag}` })
    expect([late.response.status, late.body.length]).toEqual([200, size])

    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100000-199999', 100_000, 200_000],
      ['bytes=299990-', size - 10, size],
      ['bytes=-5', size - 5, size],
      ['bytes=5-999999999', 5, size],
    ] as const) {
      const { response, body } = await read(url, { range })
      expect([range, response.status]).toEqual([range, 206])
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`)
      expect(Buffer.compare(body, video.subarray(start, end))).toBe(0)
    }
    for (const range of ['bytes=300000-', 'bytes=-0']) {
      const { response } = await read(url, { range })
      expect(response.status).toBe(416)
      expect(response.headers.get('content-range')).toBe(`bytes */${size}`)
    }
    for (const headers of [
      { range: 'bytes=0-1,5-6' },
      { range: 'bytes=9-1' },
      { range: 'items=0-1' },
      { range: 'bytes=0-1', 'if-range': '"other"' },
    ]) {
      const { response, body } = await read(url, headers)
      expect([response.status, body.length]).toEqual([200, size])
    }
    expect((await read(url, { range: 'bytes=0-1', 'if-range': etag })).response.status).toBe(206)
  })

  test('download under the name of the object only', async () => {
    const key = await upload(ada)
    const { signedUrl: url } = await unwrap(
      bucketOf(ada).createSignedUrl(key, 60, { download: 'x"; y=\r\nz.html' }),
    )
    const { response } = await read(url)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${key.split('/')[1]}"`)
  })
})

describe('a link that was valid', () => {
  /** Signs for the reader, takes the right away, and reads. */
  const readAfter = async (reader: StoreMember, key: string, loseRight: () => PromiseLike<unknown>) => {
    const url = await signedUrl(reader, key)
    expect((await read(url)).response.status).toBe(200)
    await loseRight()
    const { response, body } = await read(url)
    const cached = await read(url, { 'if-none-match': '*', range: 'bytes=0-0' })
    expect(cached.response.status).toBe(response.status)
    return { status: response.status, body: JSON.parse(new TextDecoder().decode(body)) }
  }

  test('shows nothing after the reader has unfollowed a private account', async () => {
    const dave = await store.join('dave')
    await follow(dave, ada)
    const [key = ''] = photo.keys
    const result = await readAfter(dave, key, () =>
      dave.client.from('follows').delete().eq('follower_id', dave.id).throwOnError(),
    )
    expect(result).toEqual({ status: 400, body: NOT_FOUND })
  })

  test('shows nothing after a block, either way', async () => {
    for (const isBlocked of [true, false]) {
      const [writer, reader] = [await store.join(`w${isBlocked}`), await store.join(`r${isBlocked}`)]
      const { keys } = await postPhoto(writer)
      const [blocker, blocked] = isBlocked ? [writer, reader] : [reader, writer]
      const result = await readAfter(reader, keys[1] ?? '', () =>
        blocker.client.rpc('block_members', { ids: [blocked.id] }).throwOnError(),
      )
      expect(result).toEqual({ status: 400, body: NOT_FOUND })
    }
  })

  test('shows nothing after the post was deleted, then its objects', async () => {
    const { post, keys } = await postPhoto(ada)
    expect(await unwrap(bucketOf(ada).remove(keys))).toEqual([])
    const result = await readAfter(ben, keys[2] ?? '', () =>
      ada.client.rpc('delete_posts', { ids: [post] }).throwOnError(),
    )
    expect(result).toEqual({ status: 400, body: NOT_FOUND })
    expect(await unwrap(bucketOf(ada).remove(keys))).toHaveLength(3)
    expect((await bucketOf(ada).download(keys[0] ?? '')).error).not.toBeNull()
  })

  test('shows nothing after the story has expired', async () => {
    const { story, key } = await postStory(ada)
    const result = await readAfter(ben, key, () =>
      store.backend.maintenance.query(
        "update public.stories set expires_at = now() - interval '1 s' where id = $1",
        [story],
      ),
    )
    expect(result).toEqual({ status: 400, body: NOT_FOUND })
  })

  test('shows nothing after its reader has signed out, and neither does the access token', async () => {
    const erin = await store.join('erin')
    const key = await upload(erin)
    const headers = await erin.headers()
    const result = await readAfter(erin, key, () => erin.client.auth.signOut())
    expect(result).toMatchObject({ status: 400, body: { statusCode: '400', error: 'InvalidJWT' } })
    for (const path of ['', 'authenticated/']) {
      const { response } = await read(`${store.backend.url}/storage/v1/object/${path}media/${key}`, headers)
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toBe('application/json')
    }
  })

  test('shows nothing after its member has deleted the account', async () => {
    const finn = await store.join('finn')
    const { keys } = await postPhoto(finn)
    const result = await readAfter(ben, keys[0] ?? '', () => finn.client.rpc('delete_account').throwOnError())
    expect(result).toEqual({ status: 400, body: NOT_FOUND })
  })
})

describe('deletion and lists', () => {
  test('remove deletes own objects that nothing uses, with their files', async () => {
    const [first, second] = [await upload(cyd), await upload(cyd)]
    const files = (await storedFiles(store.folder)).length
    const strangers = await upload(ben)
    const removed = await unwrap(
      bucketOf(cyd).remove([first, second, ...photo.keys, strangers, keyOf(cyd.id)]),
    )
    expect(removed.map(({ name }) => name).sort()).toEqual([first, second].sort())
    expect(await storedFiles(store.folder)).toHaveLength(files + 1 - 2)
    expect((await unwrap(bucketOf(ben).download(strangers))).size).toBe(PICTURE.length)
  })

  test('list shows the own folder only', async () => {
    const gwen = await store.join('gwen')
    const keys = [await upload(gwen), await upload(gwen), await upload(gwen)].sort()
    const listed = await unwrap(bucketOf(gwen).list(gwen.id))
    expect(listed.map(({ name }) => `${gwen.id}/${name}`)).toEqual(keys)
    expect(listed[0]).toMatchObject({
      id: expect.any(String),
      metadata: { size: PICTURE.length, mimetype: 'image/webp' },
    })
    const page = await unwrap(
      bucketOf(gwen).list(`${gwen.id}/`, { limit: 1, offset: 1, sortBy: { column: 'name', order: 'desc' } }),
    )
    expect(page.map(({ name }) => `${gwen.id}/${name}`)).toEqual([keys[1]])
    for (const folder of [undefined, ada.id, gwen.id.slice(0, -1), `${gwen.id}/x`]) {
      expect(await unwrap(bucketOf(gwen).list(folder))).toEqual([])
    }
  })
})

test('serves nothing else of Storage', async () => {
  const key = await upload(ada)
  const bucket = bucketOf(ada)
  const target = keyOf(ada.id)
  const blob = new Blob([PICTURE], { type: 'image/webp' })
  const calls = {
    copy: bucket.copy(key, target),
    move: bucket.move(key, target),
    update: bucket.update(key, blob),
    upsert: bucket.upload(key, PICTURE, { upsert: true }),
    info: bucket.info(key),
    'signed upload': bucket.createSignedUploadUrl(target),
    'upload with a token': bucket.uploadToSignedUrl(target, 'x', blob),
    'list v2': bucket.listV2(),
    buckets: ada.client.storage.listBuckets(),
    'a bucket': ada.client.storage.getBucket('media'),
    'a new bucket': ada.client.storage.createBucket('mine'),
    'an empty bucket': ada.client.storage.emptyBucket('media'),
    transform: bucket.download(key, { transform: { width: 1 } }),
    'another bucket': ada.client.storage.from('other').download(key),
  }
  for (const [name, call] of Object.entries(calls)) {
    expect([name, (await call).error]).toEqual([name, expect.objectContaining({ status: 404 })])
  }
  const headers = await ada.headers()
  for (const path of [
    `object/public/media/${key}`,
    `render/image/sign/media/${key}`,
    'upload/resumable',
    `upload/resumable/${key}`,
    's3/media',
    '',
  ]) {
    expect((await read(`${store.backend.url}/storage/v1/${path}`, headers)).response.status).toBe(404)
    expect((await read(`${store.backend.url}/storage/v1/${path}`, headers, 'POST')).response.status).toBe(404)
  }
  expect((await unwrap(bucket.download(key))).size).toBe(PICTURE.length)
  expect((await bucket.download(target)).error).not.toBeNull()
})

test('other pages and hosts are refused, like all requests', async () => {
  const url = await signedUrl(ben, photo.keys[0] ?? '')
  expect((await read(url, { origin: 'https://example.com' })).response.status).toBe(403)
  const { response } = await read(url, { origin: `http://127.0.0.1:${store.backend.port}` })
  expect(response.status).toBe(200)
})
