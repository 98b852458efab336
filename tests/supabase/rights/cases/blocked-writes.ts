import { beforeEach, describe, expect, test } from 'vitest'
import type { Member } from '#tests/backend/support/members'
import { expectDone, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import { type Cast, type Name, PICTURE } from '#tests/supabase/rights/cast'
import { block, type Connections, restoreConnected, unblock } from '#tests/supabase/rights/connections'

/** A member with a post and a story, or random ids in their place. */
interface Target {
  member: string
  post: string
  story: string
}

interface Attempt {
  table: string
  row: object
}

type Table = ReturnType<Member['client']['from']>

/** Every write about a member that is possible with their ids. */
function attemptsOn({ id }: Member, { member, post, story }: Target): Attempt[] {
  return [
    { table: 'likes', row: { post_id: post, user_id: id } },
    { table: 'saved_posts', row: { post_id: post, user_id: id } },
    { table: 'comments', row: { post_id: post, user_id: id, content: 'Can you see me?' } },
    { table: 'story_views', row: { story_id: story, viewer_id: id } },
    { table: 'follows', row: { follower_id: id, following_id: member } },
    { table: 'follow_requests', row: { requester_id: id, target_id: member } },
    { table: 'mutes', row: { muter_id: id, muted_id: member } },
    { table: 'conversations', row: { participant_1: id, participant_2: member } },
    { table: 'conversations', row: { participant_1: member, participant_2: id } },
  ]
}

/** Writes that the blocker may still do about the blocked member. */
function attemptsOfTheBlocked({ id }: Member, { member, post }: Target): Attempt[] {
  return [
    { table: 'reports', row: { reporter_id: id, member_id: member, reason: 'spam' } },
    { table: 'reports', row: { reporter_id: id, member_id: member, post_id: post, reason: 'spam' } },
  ]
}

/** Ways to send a row, and the tags of their tests: `npm test` tries the two plain ones. */
const WAYS = [
  {
    ways: 'inserts and upserts',
    tags: [],
    send: (table: () => Table, row: object) => [() => table().insert(row), () => table().upsert(row)],
  },
  {
    ways: 'inserts that return the row, and upserts that ignore duplicates',
    tags: ['long'],
    send: (table: () => Table, row: object) => [
      () => table().insert(row).select(),
      () => table().upsert(row, { ignoreDuplicates: true }),
    ],
  },
]

/** A block prevents all writes between the two members, and no error reveals it. */
export function describeBlockedWrites(cast: () => Cast): void {
  async function rows(): Promise<unknown[]> {
    const [all] = await cast().server.query(`
      select string_agg(format('select %L as name, t::text as row from public.%I t', relname, relname), ' union all ') as sql
      from pg_catalog.pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`)
    return cast().server.query(`${all?.sql} order by name, row`)
  }

  describe('between a blocked member and the blocker', () => {
    beforeEach(() => cast().restore('public'))

    // The fixture contains a block of Max by Tim.
    for (const [name, hidden, { ways, tags, send }] of WAYS.flatMap((way) => [
      ['max', 'tim', way] as const,
      ['tim', 'max', way] as const,
    ])) {
      test(`SAFE-01 all ${ways} by ${name} fail as if the member did not exist`, { tags }, async () => {
        const member = cast().members[name]
        const owner = cast().members[hidden]
        const target = { member: owner.id, post: crypto.randomUUID(), story: crypto.randomUUID() }
        const post = { id: target.post, user_id: owner.id, content: 'Seen by others' }
        expectDone(await owner.client.from('posts').insert(post))
        const story = { id: target.story, user_id: owner.id, media_url: PICTURE, media_type: 'image' }
        expectDone(await owner.client.from('stories').insert(story))
        const answersAbout = async (about: Target) => {
          const answers = []
          const attempts = [
            ...attemptsOn(member, about),
            ...(name === 'max' ? attemptsOfTheBlocked(member, about) : []),
          ]
          for (const { table, row } of attempts) {
            const errors = []
            for (const attempt of send(() => member.client.from(table), row)) {
              errors.push((await attempt()).error)
            }
            answers.push([table, ...errors])
          }
          answers.push((await member.client.rpc('accept_follow_request', { requester: about.member })).error)
          // Tim has blocked Max: he does nothing twice, but Max must not learn of it.
          if (name === 'max')
            answers.push((await member.client.rpc('block_members', { ids: [about.member] })).error)
          return answers
        }
        const before = await rows()
        const nobody = { member: crypto.randomUUID(), post: crypto.randomUUID(), story: crypto.randomUUID() }
        const answers = await answersAbout(target)
        expect(answers).toEqual(await answersAbout(nobody))
        for (const [, ...errors] of answers.filter(Array.isArray) as [string, ...{ code: string }[]][]) {
          for (const error of errors) expectRefused({ data: null, error: error as never })
        }
        expect(await rows()).toEqual(before)
      })
    }

    test('SAFE-01 a stranger who is not blocked can do all of it', async () => {
      const { rae, tim } = cast().members
      const target = { member: tim.id, post: crypto.randomUUID(), story: crypto.randomUUID() }
      expectDone(
        await tim.client.from('posts').insert({ id: target.post, user_id: tim.id, content: 'Hello' }),
      )
      const story = { id: target.story, user_id: tim.id, media_url: PICTURE, media_type: 'image' }
      expectDone(await tim.client.from('stories').insert(story))
      const attempts = [...attemptsOn(rae, target), ...attemptsOfTheBlocked(rae, target).reverse()]
      const codes = []
      for (const { table, row } of attempts) {
        codes.push([table, (await rae.client.from(table).insert(row)).error?.code])
      }
      expectDone(await rae.client.rpc('block_members', { ids: [tim.id] }))
      expect(codes.filter(([, code]) => code !== undefined)).toEqual([
        // Tim's account is public, and the two already have a conversation.
        ['follow_requests', 'PT409'],
        ['conversations', '23505'],
      ])
    })

    test('SAFE-01 a mention in a new or edited post tags neither of the two, but still tags others', async () => {
      const { server, members } = cast()
      await block(cast(), 'ada', 'ben')
      for (const name of ['ada', 'ben'] as const) {
        const { id, client } = members[name]
        const post = crypto.randomUUID()
        const content = 'With @ada, @ben and @sid'
        expectDone(await client.from('posts').insert({ id: post, user_id: id, content }))
        expectDone(await client.from('posts').update({ content: 'Nobody' }).eq('id', post))
        expectDone(
          await client
            .from('posts')
            .update({ content: `${content}!` })
            .eq('id', post),
        )
        const tags = await server.query`select tagged_user_id as id from public.post_tags
          where post_id = ${post}`
        expect(tags.map((tag) => tag.id).toSorted()).toEqual([id, members.sid.id].toSorted())
      }
    })
  })

  describe('the existing conversation of a blocked member and the blocker', () => {
    let things: Connections
    beforeEach(async () => {
      things = await restoreConnected(cast())
      await block(cast(), 'ada', 'ben')
    })
    const both = [
      ['ada', 'ben'],
      ['ben', 'ada'],
    ] as const satisfies [Name, Name][]

    test('SAFE-01 remains readable for both', async () => {
      for (const [name] of both) {
        const { client } = cast().members[name]
        const messages = client.from('messages').select('content').eq('conversation_id', things.conversation)
        expect(rowsOf(await messages.order('content'))).toEqual([
          { content: 'A word from ada' },
          { content: 'A word from ben' },
        ])
        const listed = rowsOf(await client.rpc('my_conversations')).map(({ id }) => id)
        expect(listed).toContain(things.conversation)
      }
    })

    test('SAFE-01 rejects messages, replies, photos, story replies and reactions from both', async () => {
      for (const [name, other] of both) {
        const { id, client } = cast().members[name]
        const row = { conversation_id: things.conversation, sender_id: id, content: 'Still there?' }
        const photo = { id: crypto.randomUUID(), ...row, content: undefined, image_url: PICTURE }
        await client.from('message_media').insert(photo)
        const carried = { media_id: photo.id, thumbnail_url: PICTURE, image_width: 1, image_height: 1 }
        for (const extra of [
          {},
          { reply_to_id: things.messages[other] },
          { story_id: things.stories[other] },
          { content: '', ...carried },
        ]) {
          const sent = await client.from('messages').insert({ ...row, ...extra })
          expect([extra, sent.error?.code]).toEqual([extra, 'PT403'])
          const door = await client
            .from('messages')
            .upsert({ id: crypto.randomUUID(), ...row, ...extra }, { ignoreDuplicates: true })
          expect(door.error?.code).toBe('PT403')
        }
        for (const message of [things.messages[name], things.messages[other]]) {
          const reaction = { message_id: message, member_id: id, emoji: '🔥' }
          const reactions = client.from('message_reactions')
          const inserted = await reactions.insert(reaction)
          expect(inserted.error?.code).toBe('PT403')
          if (message !== things.messages[other]) continue
          const changed = await reactions
            .update({ emoji: '🔥' })
            .match({ message_id: message, member_id: id })
          expect(changed.error?.code).toBe('PT403')
        }
        const seen = await cast().members[other].client.from('message_media').select('id').eq('id', photo.id)
        expect(rowsOf(seen)).toEqual([])
      }
      const messages = await cast().server
        .query`select 1 from public.messages where conversation_id = ${things.conversation}`
      expect(messages).toHaveLength(2)
      const reactions = await cast().server.query`select emoji from public.message_reactions
        where conversation_id = ${things.conversation}`
      expect(reactions).toEqual([{ emoji: '👍' }, { emoji: '👍' }])
    })

    test('SAFE-01 reports a duplicate for a retry of a message that has been sent', async () => {
      const { ben } = cast().members
      const again = { id: things.messages.ben, conversation_id: things.conversation, sender_id: ben.id }
      const sent = await ben.client.from('messages').insert({ ...again, content: 'A word from ben' })
      expect(sent.error?.code).toBe('23505')
      const foreign = await ben.client
        .from('messages')
        .insert({ ...again, id: things.messages.ada, content: 'A word from ben' })
      expect(foreign.error?.code).toBe('PT403')
    })

    test('SAFE-01 still allows marking messages as read, which the other does not see, and unsending them', async () => {
      const { ada, ben } = cast().members
      const { messages } = things
      expectDone(await ben.client.from('messages').update({ read: true }).eq('id', messages.ada))
      const deleted_at = new Date().toISOString()
      expectDone(await ben.client.from('messages').update({ deleted_at }).eq('id', messages.ben))
      const seen = await ada.client
        .from('messages')
        .select('id,read,content')
        .eq('conversation_id', things.conversation)
      expect(rowsOf(seen)).toEqual(
        expect.arrayContaining([
          { id: messages.ada, read: false, content: 'A word from ada' },
          { id: messages.ben, read: false, content: '' },
        ]),
      )
    })

    test('SAFE-01 allows the blocked member to block too, without showing the name', async () => {
      const { ada, ben } = cast().members
      await block(cast(), 'ben', 'ada')
      const listed = async (client: typeof ada.client) => rowsOf(await client.rpc('blocked_members'))
      const nameless = {
        username: '',
        full_name: '',
        avatar_url: null,
        avatar_path: null,
        created_at: expect.any(String),
      }
      expect(await listed(ben.client)).toEqual([{ id: ada.id, ...nameless }])
      expect(await listed(ada.client)).toEqual([{ id: ben.id, ...nameless }])
      await unblock(cast(), 'ada', 'ben')
      expect(await listed(ben.client)).toMatchObject([{ username: 'ada', full_name: 'Ada Example' }])
      for (const [name, other] of both) {
        const { client } = cast().members[name]
        expect(rowsOf(await client.from('profiles').select().eq('id', cast().members[other].id))).toEqual([])
      }
    })
  })
}
