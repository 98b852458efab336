import { describe, expect, test } from 'vitest'
import { addObjects } from '#tests/supabase/objects'
import { openCommunity, refusal } from './support/community'
import { type MemberState, makeGroup as makeGroupOf, putInto as putMemberInto } from './support/groups'
import { findInconsistencies } from './support/inconsistencies'

const { community, ada, ben, cleo, dan } = await openCommunity('ada', 'ben', 'cleo', 'dan')

const makeGroup = (fromStart = false) => makeGroupOf(community.sql, ada, { fromStart })
const putInto = (group: string, member: string, state: MemberState) =>
  putMemberInto(community.sql, group, member, state)

async function viewOf(member: string, conversation: unknown) {
  const [row] = await community.as(member)`
    select is_group, reads_after::text, writes, sees_members, folder, accepted, pinned_at is not null as pinned, unread
    from conversation_views where conversation_id = ${conversation}`
  return row
}

/** The members that a member sees, by id. */
async function seenBy(member: string, conversation: unknown): Promise<unknown[]> {
  const rows = await community.as(
    member,
  )`select member_id from conversation_members where conversation_id = ${conversation}`
  return rows.map(({ member_id }) => member_id).toSorted()
}

describe('a pair', () => {
  test('MSG-01 has both as members, who see each other, and nobody else does', async () => {
    const [pair] = await community.as(ada)`insert into conversations (participant_1, participant_2)
      values (${ada}, ${ben}) returning id, kind, name, version, epoch`
    expect(pair).toMatchObject({ kind: 'pair', name: null, version: 0, epoch: 0 })
    expect(await seenBy(ada, pair?.id)).toEqual([ada, ben].toSorted())
    expect(await seenBy(ben, pair?.id)).toEqual([ada, ben].toSorted())
    expect(await seenBy(cleo, pair?.id)).toEqual([])
    const view = { is_group: false, reads_after: '-infinity', writes: true, sees_members: true }
    expect(await viewOf(ada, pair?.id)).toMatchObject({ ...view, folder: 'inbox' })
    expect(await viewOf(ben, pair?.id)).toMatchObject({ ...view, folder: 'none' })
    expect(await findInconsistencies(community)).toEqual({})
  })

  test('with one member only is refused, and not as an error of the server', async () => {
    for (const [one, two] of [
      [ada, null],
      [null, ada],
    ]) {
      await expect(
        community.as(ada)`insert into conversations (participant_1, participant_2) values (${one}, ${two})`,
      ).rejects.toThrow('A conversation needs two members.')
    }
  })

  test('has no name, and a group has no participants', async () => {
    for (const columns of [
      `(kind, participant_1, participant_2, name) values ('pair', '${ada}', '${cleo}', 'Us')`,
      `(kind, participant_1, name) values ('group', '${ada}', 'We')`,
      `(kind) values ('pair')`,
    ]) {
      await expect(community.sql(`insert into conversations ${columns}`)).rejects.toEqual(refusal('23514'))
    }
  })
})

describe('a member of a group', () => {
  const unseen = { reads_after: 'infinity', writes: false, accepted: true }

  test.each<[MemberState, Record<string, unknown> & { reads_after: string }]>([
    ['in', { reads_after: '2026-11-01', writes: true, sees_members: true, folder: 'inbox', accepted: true }],
    ['invited', { ...unseen, accepted: false, sees_members: true, folder: 'requests' }],
    ['left', { ...unseen, sees_members: false, folder: 'none' }],
    ['removed', { ...unseen, sees_members: false, folder: 'none' }],
  ])('in state %s has a view that says so, and sees the members or only itself', async (state, view) => {
    const group = await makeGroup()
    await putInto(group, ben, state)
    const { reads_after, ...own } = (await viewOf(ben, group)) ?? {}
    expect({ ...own, reads_after: String(reads_after).slice(0, view.reads_after.length) }).toEqual({
      is_group: true,
      pinned: false,
      unread: false,
      ...view,
    })
    expect(await seenBy(ben, group)).toEqual(view.sees_members ? [ada, ben].toSorted() : [ben])
    expect(await seenBy(cleo, group)).toEqual([])
  })

  test('reads from the start if the group allows it', async () => {
    const group = await makeGroup(true)
    await putInto(group, ben, 'in')
    expect(await viewOf(ben, group)).toMatchObject({ reads_after: '-infinity' })
  })

  test('a member who is removed loses the pin and what is unread, and is listed again after joining again', async () => {
    const group = await makeGroup()
    await putInto(group, ben, 'in')
    await community.sql`update conversation_views set pinned_at = now(), unread = true
      where conversation_id = ${group} and member_id = ${ben}`
    await putInto(group, ben, 'removed')
    expect(await viewOf(ben, group)).toMatchObject({ folder: 'none', pinned: false, unread: false })
    await putInto(group, ben, 'invited')
    expect(await viewOf(ben, group)).toMatchObject({ folder: 'requests', accepted: false })
    await putInto(group, ben, 'in')
    expect(await viewOf(ben, group)).toMatchObject({ folder: 'inbox', accepted: true, writes: true })
  })

  test('an archived group stays archived when its member’s time of joining changes', async () => {
    const group = await makeGroup()
    await community.as(
      ada,
    )`update conversation_views set folder = 'archived' where conversation_id = ${group}`
    await community.sql`update conversation_members set joined_at = now() where conversation_id = ${group}`
    expect(await viewOf(ada, group)).toMatchObject({ folder: 'archived', accepted: true })
  })

  test('cannot change who is in it', async () => {
    const group = await makeGroup()
    await putInto(group, ben, 'invited')
    for (const statement of [
      `update conversation_members set state = 'in', joined_at = now() where member_id = '${ben}'`,
      `insert into conversation_members (conversation_id, member_id, joined_at) values ('${group}', '${cleo}', now())`,
      `delete from conversation_members where member_id = '${ben}'`,
      `insert into conversations (kind, name) values ('group', 'Mine')`,
    ]) {
      await expect(community.as(ben, statement)).rejects.toEqual(refusal('42501'))
    }
  })
})

describe('the picture of a group', () => {
  /** Ada's group with a picture in Ben's folder, who is in it. */
  async function picturedGroup() {
    const group = await makeGroup()
    await putInto(group, ben, 'in')
    const [key] = await addObjects(community.sql, ben)
    await community.sql`update conversations set picture_path = ${key}, pictured_by = ${ben} where id = ${group}`
    return { group, key }
  }
  const pictureOf = async (group: string) =>
    (await community.sql`select picture_path, pictured_by from conversations where id = ${group}`)[0]

  test('MEDIA-04 is seen by the members and who is invited, and by nobody else', async () => {
    const { group, key } = await picturedGroup()
    const sees = async (member: string) =>
      (await community.as(member)`select name from storage.objects where name = ${key}`).length === 1
    await putInto(group, cleo, 'invited')
    await putInto(group, dan, 'in')
    expect(await Promise.all([ada, cleo, dan].map(sees))).toEqual([true, true, true])
    await putInto(group, cleo, 'removed')
    await putInto(group, dan, 'left')
    expect([await sees(cleo), await sees(dan)]).toEqual([false, false])
    await putInto(group, ben, 'left')
    expect(await sees(ada)).toBe(true)
  })

  test('lies in the folder of the member who set it, and a pair has none', async () => {
    const { group, key } = await picturedGroup()
    await expect(
      community.sql`update conversations set picture_path = ${key}, pictured_by = ${ada} where id = ${group}`,
    ).rejects.toEqual(refusal('PT404'))
    const [own] = await addObjects(community.sql, ada)
    await expect(
      community.sql`insert into conversations (participant_1, participant_2, picture_path, pictured_by)
        values (${ada}, ${dan}, ${own}, ${ada})`,
    ).rejects.toEqual(refusal('23514'))
    await expect(
      community.as(ada)`update conversations set picture_path = ${own} where id = ${group}`,
    ).rejects.toEqual(refusal('42501'))
  })

  test('SET-03 goes with the account of the member who set it, also before the account’s last step', async () => {
    const { group, key } = await picturedGroup()
    await community.as(ben, 'select clear_account()')
    expect(await pictureOf(group)).toEqual({ picture_path: null, pictured_by: null })
    expect(await community.sql`select private.is_object_used(${key}) as used`).toEqual([{ used: false }])
    await community.sql`update conversations set picture_path = ${key}, pictured_by = ${ben} where id = ${group}`
    await community.pg.transaction(async (tx) => {
      await tx.query('delete from auth.users where id = $1', [ben])
      const { rows } = await tx.query('select picture_path, pictured_by from conversations where id = $1', [
        group,
      ])
      expect(rows).toEqual([{ picture_path: null, pictured_by: null }])
      await tx.rollback()
    })
  })
})

describe('in a group', () => {
  const write = (member: string, group: string, content = 'Hello') =>
    community.as(member)`insert into messages (conversation_id, sender_id, content)
      values (${group}, ${member}, ${content}) returning id`

  /** Ada's group with Ben and Cleo, and a message of Ada. */
  async function busyGroup() {
    const group = await makeGroup()
    await putInto(group, ben, 'in')
    await putInto(group, cleo, 'in')
    const [message] = await write(ada, group)
    return { group, message: message?.id }
  }

  test('rules of pairs do nothing: settings of new messages, blocks and requests', async () => {
    const { group, message } = await busyGroup()
    await community.sql`update profiles set new_messages_from = 'nobody' where id in (${ben}, ${cleo})`
    await community.as(ben, `select block_members(array['${ada}'::uuid])`)
    for (const content of ['One', 'Two', 'Three', 'Four']) await write(ada, group, content)
    await community.as(ada)`update messages set content = 'Hello, all' where id = ${message}`
    await write(ben, group)
    expect(
      await community.sql`select recipient_id, read from messages where conversation_id = ${group} and recipient_id is not null`,
    ).toEqual([])
    await community.sql`update profiles set new_messages_from = 'everyone'`
    await community.sql`delete from blocks`
  })

  test('a message updates the time of the group and no view, and causes no notification and no delivery receipt', async () => {
    const { group } = await busyGroup()
    const views = () =>
      community.sql`select member_id, xmin::text, folder, unread, undelivered, last_message_at from conversation_views
        where conversation_id = ${group} order by 1`
    const before = await views()
    const [sent] = await community.as(ada)`insert into messages (conversation_id, sender_id, content)
      values (${group}, ${ada}, 'Later') returning created_at`
    await community.as(ben, 'select mark_delivered()')
    expect(await views()).toEqual(before)
    const [moved] = await community.sql`select last_message_at as at from conversations where id = ${group}`
    expect(moved?.at).toEqual(sent?.created_at)
  })

  test('members do not count as correspondents of each other', async () => {
    await busyGroup()
    expect(await community.as(cleo, 'select private.my_correspondent_ids()')).toEqual([])
  })

  test('STORY-06 a story takes no answer, also of its own author', async () => {
    const { group } = await busyGroup()
    const [story] = await community.as(ben)`insert into stories (user_id, media_type, media_url)
      values (${ben}, 'image', 'data:image/webp;base64,AAAA') returning id`
    for (const member of [ada, ben])
      await expect(
        community.as(member)`insert into messages (conversation_id, sender_id, content, story_id)
          values (${group}, ${member}, 'Nice', ${story?.id})`,
      ).rejects.toThrow('This story takes no replies.')
  })

  test('the specification’s call that marks all messages of a conversation as read is ignored', async () => {
    const { group, message } = await busyGroup()
    for (const member of [ada, ben])
      await community.as(member)`update messages set read = true where conversation_id = ${group}`
    expect(await community.sql`select read, read_at from messages where id = ${message}`).toEqual([
      { read: false, read_at: null },
    ])
  })

  test('MSG-11 each member has one reaction, and who was removed neither reads nor writes any', async () => {
    const { group, message } = await busyGroup()
    const react = (member: string, id: unknown = message) =>
      community.as(
        member,
      )`insert into message_reactions (message_id, member_id, emoji) values (${id}, ${member}, '🔥')`
    const seenBy = (member: string) => community.as(member)`select member_id from message_reactions`
    for (const member of [ada, ben, cleo]) await react(member)
    await expect(react(cleo)).rejects.toEqual(refusal('23505'))
    for (const member of [ada, ben, cleo]) expect(await seenBy(member)).toHaveLength(3)
    const [own] = await write(ben, group)
    await putInto(group, ben, 'removed')
    expect(await seenBy(ben)).toEqual([])
    for (const id of [message, own?.id]) await expect(react(ben, id)).rejects.toEqual(refusal('42501'))
    const change = () =>
      community.as(ben)`update message_reactions set emoji = '👍' where member_id = ${ben} returning 1`
    expect(await change()).toEqual([])
    expect(
      await community.as(ben)`delete from message_reactions where member_id = ${ben} returning 1`,
    ).toEqual([])
    // Of the own messages, which can be read for ever, the reaction can be removed and not changed.
    await community.sql`insert into message_reactions (message_id, member_id, emoji) values (${own?.id}, ${ben}, '😂')`
    expect(await seenBy(ben)).toEqual([{ member_id: ben }])
    await expect(change()).rejects.toEqual(refusal('42501'))
    expect(
      await community.as(ben)`delete from message_reactions where member_id = ${ben} returning 1`,
    ).toHaveLength(1)
    expect(await seenBy(ada)).toHaveLength(3)
  })

  test('MSG-11 who is invited, or joined later, does not react to what they cannot read', async () => {
    const { group, message } = await busyGroup()
    const dan = await community.join('dan.reacts')
    const react = (id: unknown) =>
      community.as(
        dan,
      )`insert into message_reactions (message_id, member_id, emoji) values (${id}, ${dan}, '🔥')`
    await putInto(group, dan, 'invited')
    await expect(react(message)).rejects.toEqual(refusal('42501'))
    await putInto(group, dan, 'in')
    await community.sql`update conversation_members set joined_at = clock_timestamp() where member_id = ${dan}`
    await expect(react(message)).rejects.toEqual(refusal('42501'))
    const [later] = await write(ada, group)
    await react(later?.id)
    expect(await community.as(dan)`select message_id from message_reactions`).toEqual([
      { message_id: later?.id },
    ])
  })

  test('a member who has left reads and unsends the own messages, and edits none', async () => {
    const { group } = await busyGroup()
    const [own] = await write(ben, group)
    await putInto(group, ben, 'left')
    const seen = () => community.as(ben)`select id, content from messages where conversation_id = ${group}`
    expect(await seen()).toEqual([{ id: own?.id, content: 'Hello' }])
    await expect(
      community.as(ben)`update messages set content = 'Still here' where id = ${own?.id}`,
    ).rejects.toThrow('This conversation is closed.')
    await expect(write(ben, group)).rejects.toThrow('This is not one of your conversations.')
    await community.as(ben)`update messages set deleted_at = now() where id = ${own?.id}`
    expect(await seen()).toEqual([{ id: own?.id, content: '' }])
  })

  test('a member who is not in it lists it nowhere else, and clears it', async () => {
    const { group } = await busyGroup()
    for (const state of ['invited', 'left', 'removed'] as const) {
      await putInto(group, cleo, state)
      for (const change of [`folder = 'inbox'`, `folder = 'archived'`, 'pinned_at = now()'])
        await expect(
          community.as(
            cleo,
            `update conversation_views set ${change} where conversation_id = '${group}' and member_id = '${cleo}'`,
          ),
        ).rejects.toThrow('You are not in this group.')
      await community.as(
        cleo,
      )`update conversation_views set cleared_at = now() where conversation_id = ${group}`
      expect(await viewOf(cleo, group)).toMatchObject({ folder: 'none' })
    }
  })

  test('each change of its members raises its version, and a row that is deleted takes the view with it', async () => {
    const { group } = await busyGroup()
    const version = async () =>
      (await community.sql`select version from conversations where id = ${group}`)[0]?.version
    const before = Number(await version())
    await putInto(group, cleo, 'removed')
    expect(await version()).toBe(before + 1)
    await community.sql`delete from conversation_members where conversation_id = ${group} and member_id = ${ben}`
    expect(await version()).toBe(before + 2)
    expect(await viewOf(ben, group)).toBeUndefined()
    await expect(write(ben, group)).rejects.toThrow('This is not one of your conversations.')
    expect(await findInconsistencies(community)).toEqual({})
  })

  test('SET-03 messages of a removed account are hidden, and those of others stay', async () => {
    const { group, message } = await busyGroup()
    const [pair] = await community.as(ada)`insert into conversations (participant_1, participant_2)
      values (${ada}, ${dan}) returning id`
    await write(ada, String(pair?.id), 'To Dan')
    await putInto(group, dan, 'in')
    await write(dan, group, 'Soon gone')
    const seen = async () =>
      (
        await community.as(ada)`select content from messages
          where conversation_id in (${group}, ${pair?.id}) and content <> 'Hello, all' order by created_at`
      ).map(({ content }) => content)
    expect(await seen()).toEqual(['Hello', 'To Dan', 'Soon gone'])
    await community.sql`insert into private.jobs (kind, subject_id) values ('account', ${dan})`
    expect(await seen()).toEqual(['Hello'])
    expect(await community.as(ada)`select id from messages where id = ${message}`).toHaveLength(1)
    await community.sql`delete from private.jobs where subject_id = ${dan}`
  })

  test('SET-03 a removed account is no longer seen, and its group stays', async () => {
    const group = await makeGroup()
    await putInto(group, dan, 'in')
    await community.sql`insert into private.jobs (kind, subject_id) values ('account', ${dan})`
    expect(await seenBy(ada, group)).toEqual([ada])
    await community.sql`delete from private.jobs where subject_id = ${dan}`
    await community.sql`delete from profiles where id = ${dan}`
    expect(await seenBy(ada, group)).toEqual([ada])
    expect(await community.sql`select from conversations where id = ${group}`).toHaveLength(1)
  })
})
