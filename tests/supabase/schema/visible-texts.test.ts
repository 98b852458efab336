import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { type Community, openCommunity, withoutTriggers } from './support/community'
import { makeGroup } from './support/groups'

const BLANKS = ['\u2800', '\u3164', '\u200b\u200d\ufeff', '\u00a0 \u2007', '\u202e', '\ufe0f']
const [BLANK = ''] = BLANKS

let community: Community
let ada: string
let ben: string
const conversation = randomUUID()
/** Rows from before the rule. */
const old = { post: '', comment: '', message: '', story: '' }

const PNG = 'data:image/png;base64,AAAA'
const WRITES = {
  comment: (content: string) =>
    community.as(ben)`insert into comments (user_id, post_id, content)
      values (${ben}, ${old.post}, ${content}) returning id`,
  message: (content: string) =>
    community.as(ada)`insert into messages (conversation_id, sender_id, content)
      values (${conversation}, ${ada}, ${content}) returning id`,
  story: (content: string) =>
    community.as(
      ada,
      `insert into stories (user_id, media_type, media_url, content) values ($1, 'image', '${PNG}', $2) returning id`,
      [ada, content],
    ),
  post: (content: string) =>
    community.as(ada)`insert into posts (user_id, content) values (${ada}, ${content}) returning id`,
} as const
const KINDS = Object.keys(WRITES) as (keyof typeof WRITES)[]

beforeAll(async () => {
  ;({ community, ada, ben } = await openCommunity('ada', 'ben'))
  await community.sql`insert into conversations (id, participant_1, participant_2)
    values (${conversation}, ${ada}, ${ben})`
  for (const kind of ['post', 'comment', 'message', 'story'] as const)
    old[kind] = String((await WRITES[kind]('Words'))[0]?.id)
  const tables = { posts: old.post, comments: old.comment, messages: old.message, stories: old.story }
  await withoutTriggers(community, async () => {
    for (const [table, id] of Object.entries(tables))
      await community.sql(`update ${table} set content = $1 where id = $2`, [BLANK, id])
    await community.sql`update profiles set full_name = ${BLANK}, bio = ${BLANK} where id = ${ada}`
    await community.sql`update posts set location = ${BLANK} where id = ${old.post}`
  })
})

describe('ACC-04 texts of invisible characters from before', () => {
  test('stay, and block no like, follow, comment, reading or other change of their rows', async () => {
    const steps: [string, string, unknown[]][] = [
      [ben, 'insert into likes (user_id, post_id) values ($1, $2)', [ben, old.post]],
      [ben, 'insert into follows (follower_id, following_id) values ($1, $2)', [ben, ada]],
      [ada, 'insert into comment_likes (user_id, comment_id) values ($1, $2)', [ada, old.comment]],
      [
        ada,
        `insert into comments (user_id, post_id, content, parent_id) values ($1, $2, 'Hello', $3)`,
        [ada, old.post, old.comment],
      ],
      [ben, 'update messages set read = true where id = $1', [old.message]],
      [
        ben,
        `insert into message_reactions (message_id, member_id, emoji) values ($1, $2, '👍')`,
        [old.message, ben],
      ],
      [ben, 'insert into story_views (story_id, viewer_id) values ($1, $2)', [old.story, ben]],
      [ada, 'update profiles set is_private = true where id = $1', [ada]],
      // As the forms of the app save them: all texts, changed or not.
      [
        ada,
        `update profiles set full_name = $2, bio = $2, website = 'https://example.com' where id = $1`,
        [ada, BLANK],
      ],
      [ada, `update posts set content = $2, location = 'Porto' where id = $1`, [old.post, BLANK]],
    ]
    for (const [member, sql, parameters] of steps) await community.as(member, sql, parameters)
    expect(await community.sql('select content, like_count, comment_count from posts')).toEqual([
      { content: BLANK, like_count: 1, comment_count: 2 },
    ])
    expect(await community.sql`select full_name, bio from profiles where id = ${ada}`).toEqual([
      { full_name: BLANK, bio: BLANK },
    ])
    await community.as(ada)`update messages set deleted_at = now() where id = ${old.message}`
  })
})

describe('ACC-04 a new text', () => {
  test.each(KINDS)('of invisible characters is refused like a blank one: %s', async (kind) => {
    const failureOf = (content: string) =>
      WRITES[kind](content).then(
        () => null,
        (error: { code: string; constraint: string; message: string }) => ({
          code: error.code,
          constraint: error.constraint,
          message: error.message,
        }),
      )
    const refusal = await failureOf(' ')
    expect(refusal).toMatchObject({ code: '23514' })
    for (const blank of BLANKS) expect(await failureOf(blank), JSON.stringify(blank)).toEqual(refusal)
    for (const text of ['❤️', '⠓⠊', '.', '\u200f\u05d0'])
      expect(await WRITES[kind](text), text).toHaveLength(1)
  })

  test('cannot replace a text either', async () => {
    const [post] = await WRITES.post('Words')
    const [message] = await WRITES.message('Words')
    for (const blank of BLANKS) {
      await expect(
        community.as(ada)`update posts set content = ${blank} where id = ${post?.id}`,
      ).rejects.toMatchObject({ code: '23514', constraint: 'posts_not_empty' })
      await expect(
        community.as(ada)`update messages set content = ${blank} where id = ${message?.id}`,
      ).rejects.toMatchObject({ code: 'PT422', message: 'A message cannot be empty.' })
    }
    for (const [table, constraint] of [
      ['messages', 'messages_content'],
      ['comments', 'comments_not_blank'],
      ['stories', 'stories_content_not_blank'],
    ] as const)
      await expect(
        community.sql(`update ${table} set content = $1 where content = '.'`, [BLANK]),
        table,
      ).rejects.toMatchObject({ code: '23514', constraint })
  })

  test('of invisible characters is stored as none where none is allowed', async () => {
    for (const blank of BLANKS) {
      await community.as(ben)`update profiles set full_name = ${blank}, bio = ${blank} where id = ${ben}`
      const [post] = await community.as(ben)`insert into posts (user_id, content, location, alt_text)
        values (${ben}, 'Words', ${blank}, ${blank}) returning id`
      const columns = 'select location, alt_text from posts where id = $1'
      expect(await community.sql(columns, [post?.id])).toEqual([{ location: null, alt_text: null }])
      await community.as(ben)`update posts set location = 'Porto', alt_text = 'A hill' where id = ${post?.id}`
      await community.as(ben)`update posts set location = ${blank}, alt_text = ${blank}
        where id = ${post?.id}`
      expect(await community.sql(columns, [post?.id])).toEqual([{ location: null, alt_text: null }])
      await community.as(ben)`insert into reports (reporter_id, member_id, reason, details)
        values (${ben}, ${ada}, 'other', ${blank})`
    }
    expect(await community.sql`select full_name, bio from profiles where id = ${ben}`).toEqual([
      { full_name: '', bio: '' },
    ])
    expect(await community.sql('select from reports where details is not null')).toEqual([])
  })

  test('MSG-12 as the name of a group is stored as none, which the app calls a group', async () => {
    const group = await makeGroup(community.sql, ada, { name: BLANK })
    const name = () => community.sql`select name from conversations where id = ${group}`
    expect(await name()).toEqual([{ name: null }])
    await community.sql`update conversations set name = ' Harbour' where id = ${group}`
    expect(await name()).toEqual([{ name: ' Harbour' }])
    for (const blank of BLANKS) {
      await community.sql`update conversations set name = ${blank} where id = ${group}`
      expect(await name()).toEqual([{ name: null }])
    }
  })

  test('of a photo: its alternative text is stored as none, and a detail of the camera is refused', async () => {
    const createPost = async (camera: object) => {
      const photo = {
        ...photoOf(await addObjects(community.sql, ben)),
        alt_text: BLANK,
        camera,
      }
      const id = randomUUID()
      await community.as(ben)`select create_post(${id}, ${BLANK}, null, ${JSON.stringify([photo])})`
      return community.sql`select alt_text from post_media where post_id = ${id}`
    }
    await expect(createPost({ film: BLANK })).rejects.toMatchObject({
      code: '23514',
      constraint: 'post_media_camera',
    })
    expect(await createPost({ film: 'HP5' })).toEqual([{ alt_text: null }])
  })
})
