import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { HASHTAG_MAX } from '#/shared/hashtags'
import {
  MEDIA_LIMITS,
  MEDIA_SIDES,
  PASSWORD_MIN,
  PICTURE_USE,
  type PictureUse,
  POST_VIDEO,
  REACTIONS,
  STORED_VIDEO_BYTES,
  STORY_VIDEO,
  STORY_VIDEO_BYTES,
  TEXT_LIMITS,
  USERNAME,
  USERNAME_PATTERN,
} from '#/shared/limits'
import { CAPTION_CHARACTERS } from '#tests/shared/database-limits'
import { addObjects } from '#tests/supabase/objects'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')

beforeAll(async () => {
  const png = 'data:image/png;base64,AAAA'
  const [post, withPhotos] = await community.sql(
    `insert into posts (user_id, content, image_url, thumbnail_url, image_width, image_height)
     values ($1, 'post', '${png}', '${png}', 4, 3), ($1, 'with photos', '${png}', '${png}', 4, 3) returning id`,
    [ada],
  )
  await community.sql`insert into comments (user_id, post_id, content)
    values (${ada}, ${post?.id}, 'comment')`
  await community.sql(
    `insert into stories (user_id, media_url, media_type, thumbnail_url, media_width, media_height, duration_ms)
     values ($1, '${png}', 'image', '${png}', 4, 3, null),
       ($1, 'data:video/webm;base64,AAAA', 'video', '${png}', 4, 3, 1000)`,
    [ada],
  )
  await community.sql(
    `insert into post_media (user_id, post_id, position, full_path, feed_path, grid_path, middle_path, width, height,
        thumbhash)
     values ($1, $2, 0, $3, $4, $5, $6, 4, 3, 'AAAA')`,
    [ada, withPhotos?.id, ...(await addObjects(community.sql, ada))],
  )
  const [video] = await addObjects(community.sql, ada, { extension: 'mp4' })
  await community.sql(
    `insert into post_media (user_id, post_id, position, full_path, feed_path, grid_path, middle_path, width, height,
        thumbhash, kind, media_path, duration_ms, captions, has_captions)
     values ($1, $2, 1, $3, $4, $5, $6, 4, 3, 'AAAA', 'video', $7, 1000, 'WEBVTT', true)`,
    [ada, withPhotos?.id, ...(await addObjects(community.sql, ada)), video],
  )
  const conversation = randomUUID()
  await community.sql`insert into conversations (id, participant_1, participant_2)
    values (${conversation}, ${ada}, ${ben})`
  const [photo] = await community.sql(
    `insert into message_media (conversation_id, sender_id, image_url) values ($1, $2, '${png}') returning id`,
    [conversation, ada],
  )
  await community.sql(
    `insert into messages (conversation_id, sender_id, content, media_id, thumbnail_url, image_width, image_height)
     values ($1, $2, 'words', null, null, null, null), ($1, $2, 'photo', $3, '${png}', 4, 3)`,
    [conversation, ada, photo?.id],
  )
  await community.sql`insert into message_reactions (message_id, member_id, emoji)
    select id, ${ben}, '👍' from messages where content = 'words'`
  await community.sql`insert into hashtag_follows (follower_id, tag) values (${ada}, 'fog')`
  await community.sql`insert into reports (reporter_id, member_id, reason) values (${ada}, ${ben}, 'other')`
})

/** Tries an update and rolls it back. Returns the constraint that rejects it, or null. */
async function rejectingConstraint(table: string, change: string, where = 'true'): Promise<string | null> {
  let constraint: string | null = null
  await community.pg.transaction(async (tx) => {
    try {
      await tx.query(`update ${table} set ${change} where ${where}`)
    } catch (error) {
      constraint = error instanceof Error && 'constraint' in error ? String(error.constraint) : String(error)
    }
    await tx.rollback()
  })
  return constraint
}

interface Limit {
  /** `table.column` */
  column: string
  characters: number
  prefix?: string
  where?: string
}

const WEBP = 'data:image/webp;base64,'
const LIMITS: Limit[] = [
  { column: 'profiles.full_name', characters: TEXT_LIMITS.fullName },
  { column: 'profiles.bio', characters: TEXT_LIMITS.bio },
  {
    column: 'profiles.website',
    characters: TEXT_LIMITS.website,
    prefix: 'https://',
  },
  {
    column: 'profiles.avatar_url',
    characters: MEDIA_LIMITS.avatar.characters,
    prefix: WEBP,
  },
  { column: 'posts.content', characters: TEXT_LIMITS.post },
  { column: 'posts.location', characters: TEXT_LIMITS.location },
  { column: 'posts.alt_text', characters: TEXT_LIMITS.altText },
  {
    column: 'posts.image_url',
    characters: MEDIA_LIMITS.image.characters,
    prefix: WEBP,
  },
  {
    column: 'posts.thumbnail_url',
    characters: MEDIA_LIMITS.thumbnail.characters,
    prefix: WEBP,
  },
  {
    column: 'post_media.alt_text',
    characters: TEXT_LIMITS.altText,
  },
  { column: 'post_media.captions', characters: CAPTION_CHARACTERS, where: 'has_captions' },
  { column: 'comments.content', characters: TEXT_LIMITS.comment },
  { column: 'messages.content', characters: TEXT_LIMITS.message },
  {
    column: 'messages.thumbnail_url',
    characters: MEDIA_LIMITS.thumbnail.characters,
    prefix: WEBP,
    where: 'media_id is not null',
  },
  {
    column: 'message_media.image_url',
    characters: MEDIA_LIMITS.image.characters,
    prefix: WEBP,
  },
  {
    column: 'stories.thumbnail_url',
    characters: MEDIA_LIMITS.thumbnail.characters,
    prefix: WEBP,
  },
  { column: 'hashtag_follows.tag', characters: HASHTAG_MAX },
  { column: 'reports.details', characters: TEXT_LIMITS.reportDetails },
  { column: 'stories.content', characters: TEXT_LIMITS.caption },
  {
    column: 'stories.media_url',
    characters: MEDIA_LIMITS.image.characters,
    prefix: WEBP,
    where: `media_type = 'image'`,
  },
  {
    column: 'stories.media_url',
    characters: MEDIA_LIMITS.video.characters,
    prefix: 'data:video/mp4;base64,',
    where: `media_type = 'video'`,
  },
]

describe('limits.ts and the check constraints of the database agree', () => {
  test.each(LIMITS)(
    '$column accepts $characters characters and no more',
    async ({ column, prefix, where, characters: most }) => {
      const [table = '', name = ''] = column.split('.')
      // Uses four-byte characters for texts, because the limit counts characters; data URLs are ASCII.
      const filler = prefix === undefined ? '😀' : 'A'
      const filled = (characters: number) =>
        `${name} = '${prefix ?? ''}' || repeat('${filler}', ${characters - (prefix ?? '').length})`
      expect(await rejectingConstraint(table, filled(most), where)).toBe(null)
      expect(await rejectingConstraint(table, filled(most + 1), where)).toBe(
        name === 'captions' ? 'post_media_captions' : `${table}_${name.replace('_url', '')}_length`,
      )
    },
  )

  test('every text column that clients can write has a limit', async () => {
    const unlimited = await community.sql(`
      select format('%s.%s', c.relname, a.attname) as column
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
        and a.atttypid = 'text'::regtype
        and (has_column_privilege('authenticated', c.oid, a.attname, 'insert')
          or has_column_privilege('authenticated', c.oid, a.attname, 'update'))
      order by 1`)
    const limited = [
      ...LIMITS.map(({ column }) => column),
      'profiles.username',
      'stories.media_type',
      'message_reactions.emoji',
      'reports.reason',
      'conversation_views.folder',
      'profiles.new_messages_from',
      // Their patterns allow one length only.
      'profiles.avatar_path',
      'post_media.full_path',
      'post_media.middle_path',
      'post_media.feed_path',
      'post_media.grid_path',
      'post_media.media_path',
      'post_media.kind',
      'stories.media_path',
      'stories.poster_path',
      'message_media.media_path',
      'message_media.poster_path',
      'post_media.thumbhash',
      'stories.thumbhash',
      'messages.thumbhash',
    ]
    expect(unlimited.map(({ column }) => column)).toEqual([...new Set(limited)].sort())
  })

  test.each([
    ['posts', 'image_width', MEDIA_SIDES.picture, 'posts_image_size', 'true'],
    ['post_media', 'width', MEDIA_SIDES.full, 'post_media_size', 'true'],
    ['post_media', 'height', MEDIA_SIDES.full, 'post_media_size', 'true'],
    ['messages', 'image_width', MEDIA_SIDES.full, 'messages_image_size', 'media_id is not null'],
    ['messages', 'image_height', MEDIA_SIDES.full, 'messages_image_size', 'media_id is not null'],
    ['stories', 'media_width', MEDIA_SIDES.story, 'stories_media_size', 'true'],
    ['stories', 'media_height', MEDIA_SIDES.story, 'stories_media_size', 'true'],
    ['post_media', 'duration_ms', POST_VIDEO.seconds * 1_000, 'post_media_duration', `kind = 'video'`],
    ['stories', 'duration_ms', STORY_VIDEO.seconds * 1_000, 'stories_duration', `media_type = 'video'`],
  ])('%s.%s accepts 1 to %i', async (table, column, max, constraint, where) => {
    for (const value of [1, max])
      expect(await rejectingConstraint(table, `${column} = ${value}`, where)).toBe(null)
    for (const value of [0, max + 1]) {
      expect(await rejectingConstraint(table, `${column} = ${value}`, where)).toBe(constraint)
    }
  })

  test('MEDIA-01 the bucket takes objects as large as the largest video, and each project those of a story', async () => {
    const [bucket] = await community.sql(`select file_size_limit from storage.buckets where id = 'media'`)
    expect(bucket?.file_size_limit).toBe(STORED_VIDEO_BYTES)
    const config = await readFile(join(import.meta.dirname, '../../../supabase/config.toml'), 'utf8')
    const megabytes = Number(/^file_size_limit = "(\d+)MiB"$/m.exec(config)?.[1])
    // Everybody sets up a project with this file: the bucket takes more, which only a paid project allows, and all of them take stories.
    expect(megabytes * 1024 * 1024).toBeGreaterThanOrEqual(STORY_VIDEO_BYTES)
    // The most of a free project.
    expect(megabytes).toBeLessThanOrEqual(50)
  })

  test('MEDIA-07 every column that refers to an object has a use, with the limits of limits.ts', async () => {
    const columns: Record<PictureUse, string> = {
      avatar: 'profiles.avatar_path',
      grid: 'post_media.grid_path',
      feed: 'post_media.feed_path',
      middle: 'post_media.middle_path',
      full: 'post_media.full_path',
      poster: 'stories.poster_path',
      story: 'stories.media_path',
      message: 'message_media.media_path',
      messageThumbnail: 'message_media.poster_path',
      group: 'conversations.picture_path',
    }
    const uses = await community.sql('select of_table, of_column, side, pixels from private.media_columns()')
    const expected = Object.entries(PICTURE_USE).map(([use, limits]) => {
      const [of_table, of_column] = columns[use as PictureUse].split('.')
      return { of_table, of_column, ...limits }
    })
    const video = { of_table: 'post_media', of_column: 'media_path', side: null, pixels: null }
    expect(uses).toHaveLength(expected.length + 1)
    expect(uses).toEqual(expect.arrayContaining([...expected, video]))
  })

  test('MSG-11 messages accept exactly the six reactions', async () => {
    const reject = (emoji: string) => rejectingConstraint('message_reactions', `emoji = '${emoji}'`)
    for (const reaction of REACTIONS) expect(await reject(reaction)).toBe(null)
    for (const other of ['', '❤', '👍🏽', '🔥🔥', 'like'])
      expect(await reject(other)).toBe('message_reactions_emoji')
  })

  test.each([
    [
      'posts',
      `content = E' \\n\\t', image_url = null, thumbnail_url = null, image_width = null, image_height = null`,
    ],
    ['posts', `image_url = null`],
    ['posts', `image_url = null, image_width = null, image_height = null`],
    ['posts', `image_width = null`],
    ['posts', `image_width = 0`],
    ['posts', `image_height = 4097`],
    ['posts', `image_url = 'data:image/svg+xml;base64,AAAA'`],
    ['posts', `image_url = 'https://example.com/a.png'`],
    ['posts', `thumbnail_url = 'data:text/html;base64,AAAA'`],
    ['comments', `content = E' \\n'`],
    ['messages', `content = ''`],
    ['messages', `content = ' '`],
    ['messages', `media_id = null`],
    ['messages', `thumbnail_url = null`],
    ['messages', `image_width = null, image_height = null`],
    ['messages', `thumbnail_url = 'data:text/html;base64,AAAA'`],
    ['messages', `read_at = now()`],
    ['message_media', `image_url = 'data:image/svg+xml;base64,AAAA'`],
    ['message_media', `image_url = 'https://example.com/a.png'`],
    ['post_media', `kind = 'video'`],
    ['post_media', `kind = 'audio'`],
    [
      'post_media',
      `kind = 'video', media_path = user_id || '/' || gen_random_uuid() || '.webm', duration_ms = 1000`,
    ],
    [
      'post_media',
      `kind = 'video', media_path = gen_random_uuid() || '/' || gen_random_uuid() || '.mp4', duration_ms = 1000`,
    ],
    ['post_media', `kind = 'video', duration_ms = 1000`],
    ['post_media', `media_path = user_id || '/' || gen_random_uuid() || '.mp4'`],
    ['post_media', `duration_ms = 1000`],
    ['post_media', `has_sound = true`],
    ['post_media', `captions = 'WEBVTT', has_captions = true`],
    ['post_media', `has_captions = not has_captions`],
    ['post_media', `color_space = 'cmyk'`],
    ['stories', `color_space = 'cmyk'`],
    ['message_media', `kind = 'video'`],
    ['message_media', `kind = 'video', duration_ms = 1000`],
    ['message_media', `kind = 'audio'`],
    ['message_media', `kind = 'file', name = 'a.txt', media_type = 'text/plain', bytes = 1`],
    ['message_media', `name = 'a.txt'`],
    ['message_media', `bytes = 1`],
    ['message_media', `duration_ms = 1`],
    ['message_media', `peaks = array_fill(0::smallint, array[64])`],
    ['stories', `thumbnail_url = 'data:image/svg+xml;base64,AAAA'`],
    ['stories', `media_width = null`],
    ['stories', `duration_ms = 1`],
    ['stories', `content = ' '`],
    ['stories', `media_type = 'audio'`],
    ['reports', `reason = 'because'`],
    ['reports', `member_id = reporter_id`],
    ['stories', `media_type = case media_type when 'image' then 'video' else 'image' end`],
    ['profiles', `website = 'javascript:alert(1)'`],
    ['profiles', `website = 'https://'`],
    ['profiles', `website = 'https://example.com/a b'`],
    ['profiles', `avatar_url = 'data:image/gif;base64,AAAA'`],
    ['profiles', `username = null`],
  ])('%s rejects %s', async (table, change) => {
    expect(await rejectingConstraint(table, change)).not.toBe(null)
  })

  test('the database and the client accept the same usernames', async () => {
    const letter = fc.constantFrom(...'abz09._AÉ- @\n')
    const names = fc.string({ unit: letter, maxLength: USERNAME.max + 2 })
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const [row] = await community.sql`select username_available(${name.toLowerCase()}) as available`
        expect(row?.available).toBe(USERNAME_PATTERN.test(name.toLowerCase()))
        const stored = name.replaceAll("'", "''")
        const constraint = await rejectingConstraint('profiles', `username = '${stored}'`, `id = '${ada}'`)
        expect(constraint === null).toBe(USERNAME_PATTERN.test(name))
      }),
      {
        numRuns: 200,
        examples: [['abc'], ['a'.repeat(USERNAME.max)], ['.abc'], ['abc.'], ['abc\n'], ['Abc']],
      },
    )
    expect(USERNAME_PATTERN.test('a'.repeat(USERNAME.min))).toBe(true)
    expect(USERNAME_PATTERN.test('a'.repeat(USERNAME.min - 1))).toBe(false)
    expect(USERNAME_PATTERN.test('a'.repeat(USERNAME.max + 1))).toBe(false)
  })

  test('a hosted project requires the same password length as the app', async () => {
    const config = await readFile(join(import.meta.dirname, '../../../supabase/config.toml'), 'utf8')
    expect(config).toContain(`minimum_password_length = ${PASSWORD_MIN}\n`)
  })

  test('the configuration has no mail templates, which a free project rejects', async () => {
    const config = await readFile(join(import.meta.dirname, '../../../supabase/config.toml'), 'utf8')
    const active = config.split('\n').filter((line) => !line.startsWith('#'))
    expect(active.filter((line) => line.includes('template') || line.includes('smtp'))).toEqual([])
  })
})
