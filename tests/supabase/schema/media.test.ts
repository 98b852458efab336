import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { PICTURE_USE, type PictureUse, STORED_VIDEO_BYTES, STORY_VIDEO_BYTES } from '#/shared/limits'
import { addObjects, photoOf, videoOf } from '#tests/supabase/objects'
import { LIFT_QUOTAS, openCommunity, refusal } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')

const HASH = 'AAAA'
const VIDEO = { extension: 'mp4' }

beforeEach(() => community.sql(LIFT_QUOTAS))

interface NewPost {
  id?: string
  content?: string | null
  photos?: unknown
}

const createPost = (member: string, { id = randomUUID(), content = '', photos = [] }: NewPost) =>
  community.as(member)`select id, created_at
    from create_post(${id}, ${content}, null, ${JSON.stringify(photos)})`

const uploadPhoto = async (member: string) => photoOf(await addObjects(community.sql, member))

const addVideo = async (member: string, bytes = 1_000) =>
  (await addObjects(community.sql, member, { ...VIDEO, bytes }))[0]

const uploadPostVideo = async (member: string, bytes?: number) =>
  videoOf(await addObjects(community.sql, member), await addVideo(member, bytes))

/** Inserts the row of an uploaded object as Storage does. */
const upload = (member: string, name: string, size = 1_000) =>
  community.as(member)`insert into storage.objects (bucket_id, name, owner_id, metadata)
    values ('media', ${name}, ${member}, ${JSON.stringify({ size })})`

const remove = async (member: string, name: string) =>
  (await community.as(member)`delete from storage.objects where name = ${name} returning 1`).length

const insertStory = (member: string, values: Record<string, string>) =>
  community.as(
    member,
    `insert into stories (user_id, media_type, ${Object.keys(values).join()})
      values ($1, ${values.media_path?.endsWith('mp4') ? "'video'" : "'image'"}, ${Object.keys(values).map((_, index) => `$${index + 2}`)})
      returning id`,
    [member, ...Object.values(values)],
  )

describe('MEDIA-01 create_post', () => {
  test('inserts a post with its photos in order, and counts it once', async () => {
    const photos = [await uploadPhoto(ada), { ...(await uploadPhoto(ada)), alt_text: 'A weir' }]
    const id = randomUUID()
    const [row] = await createPost(ada, { id, content: 'Two, for @ben', photos })
    expect(row).toEqual({ id, created_at: expect.any(String) })
    const stored = await community.as(ben)`
      select position, full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text
        from post_media where post_id = ${id} order by position`
    expect(stored).toEqual(photos.map((photo, position) => ({ alt_text: null, ...photo, position })))
    expect(await community.sql`select post_count from profiles where id = ${ada}`).toEqual([
      { post_count: 1 },
    ])
    expect(await community.sql`select tagged_user_id from post_tags where post_id = ${id}`).toEqual([
      { tagged_user_id: ben },
    ])
  })

  test('MEDIA-02 takes a photo without a middle size, as one that is no larger has none', async () => {
    const { middle_path, ...photo } = await uploadPhoto(ada)
    const id = randomUUID()
    await createPost(ada, { id, photos: [photo] })
    expect(await community.sql`select middle_path from post_media where post_id = ${id}`).toEqual([
      { middle_path: null },
    ])
    expect(await remove(ada, middle_path)).toBe(1)
  })

  test('changes nothing the second time, and returns the same row', async () => {
    const id = randomUUID()
    const first = await createPost(ada, { id, photos: [await uploadPhoto(ada)] })
    const second = await createPost(ada, { id, content: 'Other', photos: [await uploadPhoto(ada)] })
    expect(second).toEqual(first)
    expect(await community.sql`select content from posts where id = ${id}`).toEqual([{ content: '' }])
    expect(await community.sql`select 1 from post_media where post_id = ${id}`).toHaveLength(1)
  })

  test('refuses the id of another member’s post, and adds nothing to that post', async () => {
    const id = await community.post(ben, 'Ben’s')
    await expect(createPost(ada, { id, photos: [await uploadPhoto(ada)] })).rejects.toEqual(refusal('23505'))
    expect(await community.sql`select 1 from post_media where post_id = ${id}`).toEqual([])
  })

  test('inserts neither post nor photos if one photo is invalid', async () => {
    const id = randomUUID()
    const good = await uploadPhoto(ada)
    const other = await uploadPhoto(ada)
    const invalid: [unknown[], string][] = [
      [[good, photoOf(await addObjects(community.sql, ben))], 'PT404'],
      [[good, { ...other, full_path: `${ada}/${randomUUID()}.webp` }], 'PT404'],
      [[good, { ...other, grid_path: good.grid_path }], '23505'],
      [[good, { ...other, width: 12_289 }], '23514'],
      [[good, { ...other, width: 12_288, height: 1_366 }], '23514'],
      [[good, { ...other, middle_path: (await addObjects(community.sql, ben))[0] }], 'PT404'],
      [[good, { ...other, middle_path: good.middle_path }], '23505'],
      [[good, { ...other, thumbhash: '<svg>' }], '23514'],
      [[{ ...good, feed_path: (await addObjects(community.sql, ada, VIDEO))[0] }], '23514'],
      [[{ ...good, feed_path: undefined }], '23502'],
      [Array.from({ length: 11 }, () => good), '23505'],
    ]
    for (const [photos, code] of invalid) {
      await expect(createPost(ada, { id, photos })).rejects.toEqual(refusal(code))
    }
    expect(await community.sql`select 1 from posts where id = ${id}`).toEqual([])
    await createPost(ada, { id, photos: [good] })
  })

  test('takes photos and videos in one call, which may be retried: each video has a cover, and may have captions', async () => {
    const photo = await uploadPhoto(ada)
    const captioned = { ...(await uploadPostVideo(ada)), captions: 'WEBVTT', alt_text: 'Waves' }
    const silent = { ...(await uploadPostVideo(ada)), has_sound: false }
    const id = randomUUID()
    const first = await createPost(ada, { id, photos: [captioned, photo, silent] })
    expect(await createPost(ada, { id, photos: [await uploadPostVideo(ada)] })).toEqual(first)
    const stored = await community.as(ben)`
      select position, kind, full_path, media_path, duration_ms, has_sound, captions, has_captions, alt_text
        from post_media where post_id = ${id} order by position`
    const video = { kind: 'video', duration_ms: 2_000, captions: null, has_captions: false, alt_text: null }
    const { full_path, media_path } = captioned
    expect(stored).toEqual([
      {
        ...video,
        full_path,
        media_path,
        position: 0,
        has_sound: true,
        captions: 'WEBVTT',
        has_captions: true,
        alt_text: 'Waves',
      },
      {
        ...video,
        kind: 'photo',
        full_path: photo.full_path,
        media_path: null,
        position: 1,
        duration_ms: null,
        has_sound: null,
      },
      { ...video, full_path: silent.full_path, media_path: silent.media_path, position: 2, has_sound: false },
    ])
  })

  test('MEDIA-04 inserts nothing if one video is invalid, or is not the member’s', async () => {
    const id = randomUUID()
    const [good, other] = [await uploadPostVideo(ada), await uploadPostVideo(ada)]
    await insertStory(ada, { media_path: await addVideo(ada) })
    const [webm] = await addObjects(community.sql, ada, { extension: 'webm' })
    const invalid: [unknown, string][] = [
      [{ ...other, media_path: await addVideo(ben) }, 'PT404'],
      [{ ...other, media_path: `${ada}/${randomUUID()}.mp4` }, 'PT404'],
      [{ ...other, media_path: `${ada}/../${await addVideo(ben)}` }, '23514'],
      [{ ...other, media_path: `${other.media_path}?` }, '23514'],
      [{ ...other, media_path: 'https://example.com/a.mp4' }, '23514'],
      [{ ...other, media_path: other.full_path }, '23514'],
      [{ ...other, media_path: webm }, '23514'],
      [{ ...other, media_path: good.media_path }, '23505'],
      [{ ...other, media_path: null }, '23514'],
      [{ ...other, duration_ms: null }, '23514'],
      [{ ...other, duration_ms: 600_001 }, '23514'],
      [{ ...other, duration_ms: 0 }, '23514'],
      [{ ...other, kind: 'audio' }, '23514'],
      [{ ...other, kind: 'photo' }, '23514'],
      [{ ...other, full_path: undefined }, '23502'],
      [{ ...other, captions: 'x'.repeat(30_001) }, '23514'],
      [{ ...(await uploadPhoto(ada)), captions: 'WEBVTT' }, '23514'],
      [{ ...(await uploadPhoto(ada)), has_sound: true }, '23514'],
    ]
    for (const [video, code] of invalid) {
      // What is no key in the own folder is refused before it is compared with the stored ones.
      const refused = createPost(ada, { id, photos: [good, video] })
      await expect(refused, JSON.stringify(video)).rejects.toMatchObject({
        code: expect.stringMatching(code === '23514' ? /23514|PT404/ : code),
      })
    }
    expect(await community.sql`select 1 from posts where id = ${id}`).toEqual([])
    await createPost(ada, { id, photos: [good, other] })
  })

  test('MEDIA-07 MEDIA-04 a video of a post is shown with it, is used while it is there, and nobody changes it', async () => {
    const video = { ...(await uploadPostVideo(ada)), captions: 'WEBVTT' }
    const id = randomUUID()
    await createPost(ada, { id, photos: [video] })
    const shown = async (member: string) =>
      (await community.as(member)`select 1 from storage.objects where name = ${video.media_path}`).length
    expect([await shown(ada), await shown(ben), await remove(ada, video.media_path)]).toEqual([1, 1, 0])
    for (const state of ['hidden', 'archived']) {
      await community.sql`select private.set_item_state('public.posts', array[${id}]::uuid[], ${state})`
      expect([state, await shown(ada), await shown(ben)]).toEqual([state, 1, 0])
    }
    for (const change of [`captions = ''`, 'has_captions = false', 'media_path = null', 'duration_ms = 1'])
      await expect(
        community.as(ada, `update post_media set ${change} where post_id = $1`, [id]),
      ).rejects.toEqual(refusal('42501'))
    await community.as(ada)`select delete_posts(array[${id}]::uuid[])`
    expect([await shown(ben), await remove(ada, video.media_path)]).toEqual([0, 1])
  })

  test('MEDIA-07 a story takes a video of 45 MB and no more, a post one as large as the bucket takes', async () => {
    const tooLarge = await addVideo(ada, STORY_VIDEO_BYTES + 1)
    await expect(insertStory(ada, { media_path: tooLarge })).rejects.toEqual(refusal('23514'))
    await insertStory(ada, { media_path: await addVideo(ada, STORY_VIDEO_BYTES) })
    await createPost(ada, { photos: [await uploadPostVideo(ada, STORED_VIDEO_BYTES)] })
  })

  test('CREATE-09 stores the chosen camera details of a photo, as JSON text or as an object', async () => {
    const camera = { camera: 'NIKON Z 6', aperture: 'f/2.8', film: 'Portra 400' }
    const id = randomUUID()
    const photos = [
      { ...(await uploadPhoto(ada)), camera: JSON.stringify(camera) },
      { ...(await uploadPhoto(ada)), camera },
      { ...(await uploadPhoto(ada)), camera: null },
    ]
    await createPost(ada, { id, photos })
    const stored = await community.as(ben)`select camera from post_media where post_id = ${id}
      order by position`
    expect(stored).toEqual([{ camera }, { camera }, { camera: null }])
  })

  test.each([
    ['a location', { gps: '47.37, 8.54' }],
    ['a serial number', { camera: 'NIKON Z 6', serial_number: '6012345' }],
    ['nothing', {}],
    ['a blank text', { film: ' ' }],
    ['a long text', { film: 'x'.repeat(101) }],
    ['a number', { iso: 400 }],
    ['an object', { camera: { name: 'NIKON Z 6' } }],
    ['a list', ['NIKON Z 6']],
    ['a text', '"NIKON Z 6"'],
  ])('CREATE-09 refuses %s as camera details', async (_, camera) => {
    const photos = [{ ...(await uploadPhoto(ada)), camera }]
    await expect(createPost(ada, { photos })).rejects.toEqual(refusal('23514'))
  })

  test('CREATE-09 refuses camera details that are no JSON', async () => {
    const photos = [{ ...(await uploadPhoto(ada)), camera: '{' }]
    await expect(createPost(ada, { photos })).rejects.toEqual(refusal('22P02'))
  })

  test('accepts ten photos and no more', async () => {
    const photos = []
    for (let count = 0; count < 11; count += 1) photos.push(await uploadPhoto(ada))
    await expect(createPost(ada, { photos })).rejects.toEqual(refusal('23514'))
    expect(await createPost(ada, { photos: photos.slice(1) })).toHaveLength(1)
  })

  test('inserts a text alone', async () => {
    expect(await createPost(ada, { content: 'Only words' })).toHaveLength(1)
  })
})

describe('MEDIA-01 a post is never empty', () => {
  const EMPTY = expect.objectContaining({ code: '23514', constraint: 'posts_not_empty' })

  test.each([
    ['create_post', () => createPost(ada, { content: ' \n', photos: [] })],
    ['create_post without a text', () => createPost(ada, { content: null, photos: [] })],
    ['an insert', () => community.as(ada)`insert into posts (user_id) values (${ada})`],
    [
      'removing the text',
      async () => {
        const id = await community.post(ada, 'Words')
        return community.as(ada)`update posts set content = '' where id = ${id}`
      },
    ],
  ])('%s is refused', async (_, write) => {
    await expect(write()).rejects.toEqual(EMPTY)
  })

  test('the owner of the database cannot delete the last photo of a post without text either', async () => {
    const id = randomUUID()
    await createPost(ada, { id, photos: [await uploadPhoto(ada), await uploadPhoto(ada)] })
    await community.sql`delete from post_media where post_id = ${id} and position = 1`
    await expect(community.sql`delete from post_media where post_id = ${id}`).rejects.toEqual(EMPTY)
    await community.as(ada)`select delete_posts(array[${id}]::uuid[])`
    expect(await community.sql`select 1 from post_media where post_id = ${id}`).toEqual([])
  })

  test('the text of a post with photos can be removed', async () => {
    const id = randomUUID()
    await createPost(ada, { id, content: 'Words', photos: [await uploadPhoto(ada)] })
    await community.as(ada)`update posts set content = '' where id = ${id}`
  })
})

describe('MEDIA-01 rows refer to objects of their member', () => {
  const path = async (member: string, options = {}) => (await addObjects(community.sql, member, options))[0]

  test('only the author changes the alternative text, and the post counts as edited', async () => {
    const id = randomUUID()
    await createPost(ada, { id, photos: [await uploadPhoto(ada)] })
    const describeAs = (member: string) =>
      community.as(member)`update post_media set alt_text = 'A weir' where post_id = ${id} returning 1`
    expect(await describeAs(ben)).toEqual([])
    expect(await community.sql`select edited_at from posts where id = ${id}`).toEqual([{ edited_at: null }])
    expect(await describeAs(ada)).toHaveLength(1)
    expect(await community.sql`select edited_at from posts where id = ${id}`).toEqual([
      { edited_at: expect.any(String) },
    ])
  })

  test.each([
    ['another member’s object', () => path(ben), 'PT404'],
    ['an object that does not exist', async () => `${ada}/${randomUUID()}.webp`, 'PT404'],
    ['an object without a folder', async () => `${randomUUID()}.webp`, 'PT404'],
    ['a video', () => path(ada, VIDEO), '23514'],
    ['a picture of more than 5 MB', () => path(ada, { bytes: 5_000_001 }), '23514'],
  ])('a story, an avatar and a message photo refuse %s', async (_, key, code) => {
    const media_path = await key()
    const story = community.as(ada)`insert into stories (user_id, media_type, media_path)
      values (${ada}, 'image', ${media_path})`
    await expect(story).rejects.toEqual(refusal(code))
    const avatar = community.as(ada)`update profiles set avatar_path = ${media_path} where id = ${ada}`
    await expect(avatar).rejects.toEqual(refusal(code))
    const conversation = randomUUID()
    const photo = community.pg.transaction(async (tx) => {
      await tx.query('insert into conversations (id, participant_1, participant_2) values ($1, $2, $3)', [
        conversation,
        ada,
        ben,
      ])
      await tx.query(
        'insert into message_media (conversation_id, sender_id, media_path, poster_path) values ($1, $2, $3, $3)',
        [conversation, ada, media_path],
      )
    })
    await expect(photo).rejects.toEqual(refusal(code))
  })

  const largest = (use: PictureUse) => {
    const { side, pixels } = PICTURE_USE[use]
    return { width: side, height: Math.floor(pixels / side) }
  }
  const tooWide = (use: PictureUse) => ({ width: PICTURE_USE[use].side + 1, height: 1 })
  const tooManyPixels = (use: PictureUse) => {
    const side = Math.ceil(Math.sqrt(PICTURE_USE[use].pixels + 1))
    return { width: side, height: side }
  }

  test.each<[PictureUse, (key: string) => Promise<unknown>]>([
    ['avatar', (key) => community.as(ada)`update profiles set avatar_path = ${key} where id = ${ada}`],
    [
      'group',
      (key) =>
        community.sql`insert into conversations (kind, picture_path, pictured_by) values ('group', ${key}, ${ada})`,
    ],
    ['full', async (key) => createPost(ada, { photos: [{ ...(await uploadPhoto(ada)), full_path: key }] })],
    [
      'middle',
      async (key) => createPost(ada, { photos: [{ ...(await uploadPhoto(ada)), middle_path: key }] }),
    ],
    ['feed', async (key) => createPost(ada, { photos: [{ ...(await uploadPhoto(ada)), feed_path: key }] })],
    ['grid', async (key) => createPost(ada, { photos: [{ ...(await uploadPhoto(ada)), grid_path: key }] })],
    ['story', (key) => insertStory(ada, { media_path: key })],
    ['poster', async (key) => insertStory(ada, { media_path: await path(ada, VIDEO), poster_path: key })],
    ['message', async (key) => insertMessagePhoto({ media_path: key, poster_path: await path(ada) })],
    [
      'messageThumbnail',
      async (key) => insertMessagePhoto({ media_path: await path(ada), poster_path: key }),
    ],
  ])('MEDIA-07 %s refuses a picture that is too large for it', async (use, write) => {
    await write(await path(ada, { content: largest(use) }))
    for (const content of [tooWide(use), tooManyPixels(use), { checked: false }]) {
      await expect(write(await path(ada, { content }))).rejects.toEqual(refusal('23514'))
    }
  })

  const insertMessagePhoto = async (columns: { media_path: string; poster_path: string }) => {
    await community.sql('delete from conversations')
    const conversation = randomUUID()
    await community.sql`insert into conversations (id, participant_1, participant_2)
      values (${conversation}, ${ada}, ${ben})`
    return community.as(
      ada,
      'insert into message_media (conversation_id, sender_id, media_path, poster_path) values ($1, $2, $3, $4)',
      [conversation, ada, columns.media_path, columns.poster_path],
    )
  }

  test('the check constraints refuse another member’s object where triggers do not run', async () => {
    const [key] = await addObjects(community.sql, ben)
    const [own] = await addObjects(community.sql, ada)
    const [story] = await insertStory(ada, { media_path: own })
    for (const [table, column, id] of [
      ['profiles', 'avatar_path', ada],
      ['stories', 'media_path', story?.id],
    ]) {
      const forge = community.sql(`update ${table} set ${column} = $2 where id = $1`, [id, key])
      await expect(forge).rejects.toEqual(refusal(column === 'avatar_path' ? 'PT404' : '23514'))
    }
  })

  test('a path is used by one row of a column', async () => {
    const media_path = await path(ada)
    await insertStory(ada, { media_path })
    await expect(insertStory(ada, { media_path })).rejects.toEqual(refusal('23505'))
  })

  test('a story has inline media or a path, with the parts that belong to it', async () => {
    const inline = { media_url: 'data:image/png;base64,AAAA' }
    const [media_path, poster_path] = await addObjects(community.sql, ada)
    for (const values of [
      { ...inline, media_path },
      { content: 'Nothing' },
      { ...inline, poster_path },
      { ...inline, thumbhash: HASH },
      { media_path, thumbnail_url: inline.media_url },
      { media_path, thumbhash: 'x'.repeat(65) },
    ]) {
      await expect(insertStory(ada, values)).rejects.toEqual(refusal('23514'))
    }
    const [video] = await addObjects(community.sql, ada, VIDEO)
    await insertStory(ada, { media_path: video, poster_path, thumbhash: HASH })
    await insertStory(ada, { media_path })
  })

  test('an avatar is inline or a path', async () => {
    const avatar_path = await path(ada)
    const set = (assignments: string) =>
      community.as(ada, `update profiles set ${assignments} where id = $1 returning updated_at`, [ada])
    await set(`avatar_url = 'data:image/png;base64,AAAA', avatar_path = null`)
    await expect(set(`avatar_path = '${avatar_path}'`)).rejects.toEqual(refusal('23514'))
    const [row] = await set(`avatar_url = null, avatar_path = '${avatar_path}'`)
    expect(row?.updated_at).toEqual(expect.any(String))
    const [found] = await community.as(ben, `select avatar_path from search_profiles('ada')`)
    expect(found).toEqual({ avatar_path })
    await set('avatar_path = null')
  })

  test('MSG-07 a message with a photo in Storage has a ThumbHash, and loses it when it is unsent', async () => {
    const conversation = randomUUID()
    await community.sql('delete from conversations')
    await community.sql`insert into conversations (id, participant_1, participant_2)
      values (${conversation}, ${ada}, ${ben})`
    const [media_path, poster_path] = await addObjects(community.sql, ada)
    const [photo] = await community.as(ada)`
      insert into message_media (conversation_id, sender_id, media_path, poster_path)
        values (${conversation}, ${ada}, ${media_path}, ${poster_path}) returning id`
    const send = (columns: string, values: string) =>
      community.as(
        ada,
        `insert into messages (conversation_id, sender_id, content, ${columns})
          values ($1, $2, '', ${values}) returning id`,
        [conversation, ada],
      )
    const whole = 'media_id, image_width, image_height'
    await expect(send(whole, `'${photo?.id}', 4, 3`)).rejects.toEqual(refusal('23514'))
    const both = `'${photo?.id}', 4, 3, '${HASH}', 'data:image/png;base64,AAAA'`
    await expect(send(`${whole}, thumbhash, thumbnail_url`, both)).rejects.toEqual(refusal('23514'))
    const [message] = await send(`${whole}, thumbhash`, `'${photo?.id}', 4, 3, '${HASH}'`)
    const seen = () => community.as(ben)`select name from storage.objects where name = ${media_path}`
    expect(await seen()).toHaveLength(1)
    const [unsent] = await community.as(ada)`update messages set deleted_at = now() where id = ${message?.id}
      returning thumbhash`
    expect(unsent).toEqual({ thumbhash: null })
    expect(await seen()).toEqual([])
    expect(await remove(ada, media_path)).toBe(1)
  })
})

describe('MEDIA-01 uploads', () => {
  test('an object is deleted only while no row uses it, and its key is not used again under a row', async () => {
    const id = randomUUID()
    const photo = await uploadPhoto(ada)
    await createPost(ada, { id, photos: [photo] })
    for (const name of [photo.full_path, photo.middle_path, photo.feed_path, photo.grid_path])
      expect(await remove(ada, name)).toBe(0)
    await community.sql`delete from storage.objects where name = ${photo.grid_path}`
    await expect(upload(ada, photo.grid_path)).rejects.toEqual(refusal('42501'))
    await community.as(ada)`select delete_posts(array[${id}]::uuid[])`
    expect(await remove(ada, photo.full_path)).toBe(1)
  })

  test('keys have the form of the app, in the own folder and the bucket of the app', async () => {
    const uuid = randomUUID()
    const folder = `${ada}/${uuid}`
    for (const name of [
      `${ben}/${uuid}.webp`,
      `${uuid}.webp`,
      `${folder}.svg`,
      `${folder}.html`,
      `${folder}.webp.html`,
      `${folder.toUpperCase()}.webp`,
      `${ada}/a/${uuid}.webp`,
      `${ada}/../${ben}/${uuid}.webp`,
      `${folder}.webp\n`,
      `${folder}.webp/x`,
      `${ada}/..webp`,
    ]) {
      await expect(upload(ada, name)).rejects.toEqual(refusal('42501'))
    }
    await upload(ada, `${folder}.webp`)
    await community.sql(
      `insert into storage.buckets (id, name) values ('other', 'other') on conflict do nothing`,
    )
    const elsewhere = community.as(
      ada,
      `insert into storage.objects (bucket_id, name) values ('other', $1)`,
      [`${ada}/${randomUUID()}.webp`],
    )
    await expect(elsewhere).rejects.toEqual(refusal('42501'))
    const move = await community.as(ada, `update storage.objects set bucket_id = 'other' returning 1`)
    expect(move).toEqual([])
  })

  test('of which no row uses any are limited to the quota', async () => {
    await community.sql('delete from storage.objects')
    await community.sql(`update private.quotas set per_day = 3000 where kind = 'upload_bytes'`)
    const key = () => `${ada}/${randomUUID()}.webp`
    const first = key()
    await upload(ada, first, 2_000)
    await upload(ben, `${ben}/${randomUUID()}.webp`, 3_000)
    await expect(upload(ada, key(), 1_001)).rejects.toEqual(refusal('42501'))
    await insertStory(ada, { media_path: first })
    await upload(ada, key(), 3_000)
    await expect(upload(ada, key(), 1)).rejects.toEqual(refusal('42501'))
  })

  test('count with the length that a client declares, which is all that Storage knows when a resumable upload begins', async () => {
    await community.sql('delete from storage.objects')
    await community.sql(`update private.quotas set per_day = 3000 where kind = 'video_upload_bytes'`)
    const begin = (contentLength: number) =>
      community.as(
        ada,
        `insert into storage.objects (bucket_id, name, metadata)
          values ('media', $1, jsonb_build_object('mimetype', 'video/mp4', 'contentLength', $2::bigint))`,
        [`${ada}/${randomUUID()}.mp4`, contentLength],
      )
    await expect(begin(3_001)).rejects.toEqual(refusal('42501'))
    await begin(3_000)
  })

  test('of videos have a quota of their own, also of those that only begin', async () => {
    await community.sql('delete from storage.objects')
    await community.sql(`update private.quotas set per_day = 3000 where kind = 'upload_bytes'`)
    await community.sql(`update private.quotas set per_day = 9000 where kind = 'video_upload_bytes'`)
    const key = (extension: string) => `${ada}/${randomUUID()}.${extension}`
    await upload(ada, key('mp4'), 5_000)
    await upload(ada, key('webm'), 3_000)
    await upload(ada, key('webp'), 3_000)
    await expect(upload(ada, key('webm'), 1_001)).rejects.toEqual(refusal('42501'))
    await expect(upload(ada, key('webp'), 1)).rejects.toEqual(refusal('42501'))
    await upload(ada, key('mp4'), 1_000)
    await expect(upload(ada, key('mp4'), 1)).rejects.toEqual(refusal('42501'))
  })

  test('of which no row uses any are at most a thousand, however small', async () => {
    await community.sql('delete from storage.objects')
    await community.sql(`update private.quotas set per_day = 200000000 where kind = 'upload_bytes'`)
    await community.sql`insert into storage.objects (bucket_id, name, metadata)
        select 'media', ${ada} || '/' || gen_random_uuid() || '.webp', '{"size": 30}' from generate_series(1, 999)`
    const last = `${ada}/${randomUUID()}.webp`
    await upload(ada, last, 30)
    const one = `${ada}/${randomUUID()}.webp`
    await expect(upload(ada, one, 30)).rejects.toEqual(refusal('42501'))
    await insertStory(ada, { media_path: last })
    await upload(ada, one, 30)
  })

  test('that rows use count as media of the day', async () => {
    await community.sql('delete from posts')
    await community.sql('delete from stories')
    await community.sql('delete from message_media')
    await community.sql(`update private.quotas set per_day = 9000 where kind = 'media_bytes'`)
    const tooMuch = expect.objectContaining({ code: 'PT429', detail: 'media_bytes' })
    await createPost(ada, { photos: [await uploadPhoto(ada)] })
    await expect(
      createPost(ada, { photos: [await uploadPhoto(ada), await uploadPhoto(ada)] }),
    ).rejects.toEqual(tooMuch)
    await createPost(ada, { photos: [await uploadPhoto(ada)] })
    const [media_path, poster_path] = await addObjects(community.sql, ada)
    await expect(insertStory(ada, { media_path, poster_path })).rejects.toEqual(tooMuch)
    await insertStory(ada, { media_path })
  })

  test('that are videos count as videos of the day, in posts and stories, and their covers as media', async () => {
    await community.sql('delete from posts')
    await community.sql('delete from stories')
    await community.sql('delete from message_media')
    await community.sql(`update private.quotas set per_day = 4000 where kind = 'media_bytes'`)
    await community.sql(`update private.quotas set per_day = 7000 where kind = 'video_bytes'`)
    const tooMuch = (detail: string) => expect.objectContaining({ code: 'PT429', detail })
    const id = randomUUID()
    await createPost(ada, { id, photos: [await uploadPostVideo(ada, 4_000)] })
    const story = await addVideo(ada, 2_000)
    await insertStory(ada, { media_path: story })
    await expect(insertStory(ada, { media_path: await addVideo(ada, 1_001) })).rejects.toEqual(
      tooMuch('video_bytes'),
    )
    await expect(createPost(ada, { photos: [await uploadPostVideo(ada, 500)] })).rejects.toEqual(
      tooMuch('media_bytes'),
    )
    await insertStory(ada, { media_path: await addVideo(ada, 1_000) })
    await community.as(ada)`select delete_posts(array[${id}]::uuid[])`
    await createPost(ada, { photos: [await uploadPostVideo(ada, 4_000)] })
  })
})

describe('MEDIA-04 the cleanup of objects', () => {
  const examine = (after = '', max = 100) =>
    community.sql`select name, is_unused from private.examine_objects(${after}, ${max})`

  test('finds objects that no row has used for a day and objects of deleted accounts, page by page', async () => {
    await community.sql('delete from storage.objects')
    const gone = await community.join('gone')
    const [used, old, recent] = await addObjects(community.sql, ada)
    await insertStory(ada, { media_path: used })
    const [left] = await addObjects(community.sql, gone)
    await community.sql`update storage.objects set created_at = now() - interval '25 hours'
      where name = any (${[used, old]})`
    const unused = async () => (await examine()).filter(({ is_unused }) => is_unused).map(({ name }) => name)
    expect(await unused()).toEqual([old])
    await community.as(gone, 'select delete_account()')
    expect((await unused()).toSorted()).toEqual(
      [old, left, ...(await keysOf(gone))].filter((key, index, all) => all.indexOf(key) === index).toSorted(),
    )
    const all = await examine()
    const pages = []
    for (let after = ''; ; ) {
      const page = await examine(after, 2)
      pages.push(...page)
      if (page.length < 2) break
      after = String(page.at(-1)?.name)
    }
    expect(pages).toEqual(all)
    expect(all.map(({ name }) => name)).toContain(recent)
  })

  const keysOf = async (member: string) =>
    (await community.sql`select name from storage.objects where name like ${member} || '/%'`).map(
      ({ name }) => String(name),
    )

  test('SET-03 clear_account deletes every row with an object, so that the folder can be removed', async () => {
    const leaver = await community.join('leaver')
    const conversation = randomUUID()
    await community.sql`insert into conversations (id, participant_1, participant_2)
      values (${conversation}, ${leaver}, ${ben})`
    await createPost(leaver, { photos: [photoOf(await addObjects(community.sql, leaver))] })
    const [media_path, avatar, image, thumbnail] = await addObjects(community.sql, leaver)
    await insertStory(leaver, { media_path })
    await community.as(leaver)`update profiles set avatar_path = ${avatar} where id = ${leaver}`
    await community.as(
      leaver,
      'insert into message_media (conversation_id, sender_id, media_path, poster_path) values ($1, $2, $3, $4)',
      [conversation, leaver, image, thumbnail],
    )
    const text = await community.post(leaver, 'Words')
    const removeAll = () =>
      community.as(leaver)`delete from storage.objects where bucket_id = ${'media'} returning 1`
    expect(await removeAll()).toEqual([])
    // Each call removes for 300 ms, which may not be enough on a busy machine.
    while ((await community.as(leaver, 'select clear_account() as done'))[0]?.done !== true);
    expect(await removeAll()).toHaveLength(8)
    expect(await community.sql`select id from posts where user_id = ${leaver}`).toEqual([{ id: text }])
    await community.as(leaver, 'select delete_account()')
    expect(await community.sql`select 1 from posts where user_id = ${leaver}`).toEqual([])
  })
})

test('MEDIA-04 my_unused_objects lists what no row of the caller has used for a day', async () => {
  const unused = async (member: string) =>
    (await community.as(member, 'select name from my_unused_objects()')).map(({ name }) => name)
  await community.sql('delete from storage.objects')
  const [used, old, recent, poster] = await addObjects(community.sql, ada)
  await insertStory(ada, { media_path: used, poster_path: poster })
  const others = await addObjects(community.sql, ben)
  await community.sql`update storage.objects set created_at = now() - interval '25 hours'
    where name <> ${recent}`
  expect(await unused(ada)).toEqual([old])
  expect((await unused(ben)).toSorted()).toEqual(others.toSorted())
  expect(await remove(ada, old)).toBe(1)
  expect(await unused(ada)).toEqual([])
})

test('MEDIA-01 media_in_storage says whether the bucket exists, and create_media_bucket creates it again', async () => {
  const inStorage = async () => (await community.as(ada, 'select media_in_storage() as found'))[0]?.found
  await community.sql(`delete from storage.objects`)
  expect(await inStorage()).toBe(true)
  await community.sql(`delete from storage.buckets where id = 'media'`)
  expect(await inStorage()).toBe(false)
  await community.sql('select private.create_media_bucket()')
  expect(await inStorage()).toBe(true)
  expect(
    await community.sql(`select public, file_size_limit from storage.buckets where id = 'media'`),
  ).toEqual([{ public: false, file_size_limit: STORED_VIDEO_BYTES }])
})

test('MEDIA-01 media_limit says what the bucket takes, and nothing without one or a session', async () => {
  const limit = async () => (await community.as(ada, 'select media_limit() as bytes'))[0]?.bytes
  const set = (value: string) => community.sql(`update storage.buckets set file_size_limit = ${value}`)
  expect(Number(await limit())).toBe(STORED_VIDEO_BYTES)
  await set('50000000')
  expect(Number(await limit())).toBe(50_000_000)
  await set('null')
  expect(Number(await limit())).toBe(STORED_VIDEO_BYTES)
  await community.sql(`delete from storage.objects`)
  await community.sql(`delete from storage.buckets where id = 'media'`)
  expect(await limit()).toBe(null)
  await community.sql('select private.create_media_bucket()')
  expect(Number(await limit())).toBe(STORED_VIDEO_BYTES)
  const [row] = await community.sql('select private.media_limit() as bytes')
  expect(row?.bytes).toBe(null)
})

test('MEDIA-01 setup_status says whether the bucket is as the app needs it, which create_media_bucket restores', async () => {
  const state = async () => {
    const [row] = await community.sql(`select setup_status() ->> 'bucket' as bucket`)
    return row?.bucket
  }
  expect(await state()).toBe('right')
  for (const change of [
    'file_size_limit = 20971520',
    'file_size_limit = null',
    'public = true',
    'allowed_mime_types = null',
    `allowed_mime_types = array['image/webp']`,
    `allowed_mime_types = allowed_mime_types || 'text/html'::text`,
  ]) {
    await community.sql(`update storage.buckets set ${change} where id = 'media'`)
    expect([change, await state()]).toEqual([change, 'changed'])
    await community.sql('select private.create_media_bucket()')
    expect([change, await state()]).toEqual([change, 'right'])
  }
  await community.sql(`delete from storage.objects`)
  await community.sql(`delete from storage.buckets where id = 'media'`)
  expect(await state()).toBe('missing')
  await community.sql('select private.create_media_bucket()')
})
