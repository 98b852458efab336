import type { Statement } from '#tests/statement'

export type MemberState = 'in' | 'invited' | 'left' | 'removed'

/** Makes a group as the owner of the database: members cannot make groups yet. */
export async function makeGroup(
  sql: Statement,
  owner: string,
  { name = 'Harbour', fromStart = false } = {},
): Promise<string> {
  const [row] = await sql`insert into public.conversations (kind, name, from_start)
    values ('group', ${name}, ${fromStart}) returning id`
  const group = String(row?.id)
  await putInto(sql, group, owner, 'in', { role: 'owner' })
  return group
}

/** Gives a member a state in a group. */
export async function putInto(
  sql: Statement,
  group: string,
  member: string,
  state: MemberState,
  { role = 'member', joinedAt = '2026-11-01' } = {},
): Promise<void> {
  const joined = state === 'invited' ? null : joinedAt
  const left = state === 'left' || state === 'removed' ? '2026-11-02' : null
  await sql`insert into public.conversation_members (conversation_id, member_id, role, state, joined_at, left_at)
    values (${group}, ${member}, ${role}, ${state}, ${joined}, ${left})
    on conflict (conversation_id, member_id) do update
      set state = excluded.state, joined_at = excluded.joined_at, left_at = excluded.left_at`
}
