import { describe, expect, test } from 'vitest'
import { openCommunity, refusal } from './support/community'
import { findInconsistencies } from './support/inconsistencies'

const { community, ada, ben, cleo, dan } = await openCommunity('ada', 'ben', 'cleo', 'dan')

/** A group of Ada, as an operator would make one: members cannot make groups yet. */
async function makeGroup(fromStart = false): Promise<unknown> {
  const [row] = await community.sql`insert into conversations (kind, name, from_start)
    values ('group', 'Harbour', ${fromStart}) returning id`
  await putInto(row?.id, ada, 'in', { role: 'owner' })
  return row?.id
}

async function putInto(group: unknown, member: string, state: string, { role = 'member' } = {}) {
  const left = state === 'left' || state === 'removed'
  await community.sql`insert into conversation_members (conversation_id, member_id, role, state, invited_by, joined_at, left_at)
    values (${group}, ${member}, ${role}, ${state}, ${ada}, case when ${state} <> 'invited' then timestamptz '2026-11-01' end,
      case when ${left} then timestamptz '2026-11-02' end)
    on conflict (conversation_id, member_id) do update
      set state = excluded.state, joined_at = excluded.joined_at, left_at = excluded.left_at`
}

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

  test.each([
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

  test('who is removed loses the pin and what is unread, and is listed again after joining again', async () => {
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
