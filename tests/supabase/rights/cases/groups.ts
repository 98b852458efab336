import { beforeAll, describe, expect, test } from 'vitest'
import { type Cast, type Name, PICTURE } from '#tests/supabase/rights/cast'
import { EXPECTED } from '#tests/supabase/rights/expected'
import { type Action, parse } from '#tests/supabase/rights/parse'
import { type Subject, subjectsOf } from '#tests/supabase/rights/subjects'
import { makeGroup, putInto } from '#tests/supabase/schema/support/groups'
import { currentRow, quoted, statementOf, TRY } from './states-matrix'

/** Who is what in the group. Ben joined after its first message; Sid was never in it. */
const PEOPLE = {
  owner: 'ada',
  in: 'ben',
  invited: 'fay',
  left: 'tim',
  removed: 'rae',
  stranger: 'sid',
} satisfies Record<string, Name>
type Person = keyof typeof PEOPLE

/**
 * Who may do what with rows of a group (docs/decisions/0106-members-of-conversations.md). Nobody may do what is not here, and each action and
 * column of the tables is tried by each of them.
 */
const ALLOWED: { what: string; table: string; may: Record<string, Person[]> }[] = [
  {
    what: 'the group',
    table: 'conversations',
    may: { select: ['owner', 'in', 'invited'] },
  },
  {
    what: 'the member who owns it',
    table: 'conversation_members',
    may: { select: ['owner', 'in', 'invited'] },
  },
  {
    what: 'the member who was removed',
    table: 'conversation_members',
    may: { select: ['owner', 'in', 'invited', 'removed'] },
  },
  {
    what: 'the view of a member',
    table: 'conversation_views',
    may: Object.fromEntries(['select', 'folder', 'pinned_at', 'cleared_at'].map((one) => [one, ['in']])),
  },
  {
    what: 'the view of who is invited',
    table: 'conversation_views',
    may: { select: ['invited'], cleared_at: ['invited'] },
  },
  {
    what: 'the view of who was removed',
    table: 'conversation_views',
    may: { select: ['removed'], cleared_at: ['removed'] },
  },
  {
    what: 'a message',
    table: 'messages',
    may: { select: ['owner', 'in'], insert: ['owner', 'in'], content: ['owner'], deleted_at: ['owner'] },
  },
  {
    what: 'a message of before Ben joined',
    table: 'messages',
    may: { select: ['owner'], insert: ['owner', 'in'], deleted_at: ['owner'] },
  },
  {
    what: 'a message of who has left',
    table: 'messages',
    may: { select: ['owner', 'in', 'left'], insert: ['owner', 'in'], deleted_at: ['left'] },
  },
  {
    what: 'a message of who was removed',
    table: 'messages',
    may: { select: ['owner', 'in', 'removed'], insert: ['owner', 'in'], deleted_at: ['removed'] },
  },
  {
    what: 'the photo of a message',
    table: 'message_media',
    may: { select: ['owner', 'in'], insert: ['owner', 'in'] },
  },
  {
    what: 'the photo of who has left',
    table: 'message_media',
    may: { select: ['owner', 'in', 'left'], insert: ['owner', 'in'] },
  },
  {
    what: 'the reaction of a member',
    table: 'message_reactions',
    may: { select: ['owner', 'in'], insert: ['owner', 'in'], emoji: ['in'], delete: ['in'] },
  },
  {
    what: 'the reaction of who has left to an own message',
    table: 'message_reactions',
    may: { select: ['owner', 'in', 'left'], insert: ['owner', 'in'], delete: ['left'] },
  },
  {
    what: 'the reaction of a member to a message of who has left',
    table: 'message_reactions',
    may: { select: ['owner', 'in'], insert: ['owner', 'in'], emoji: ['in'], delete: ['in'] },
  },
  {
    what: 'the reaction of who was removed',
    table: 'message_reactions',
    may: { select: ['owner', 'in'], insert: ['owner', 'in'] },
  },
]

const nameOf = (action: Action) => (action.kind === 'update' ? action.column : action.kind)

/** What members, former members and others may do with the rows of a group. */
export function describeGroups(cast: () => Cast): void {
  describe('a group', () => {
    let subjects: Record<string, Subject>
    const idOf = (person: Person) => cast().members[PEOPLE[person]].id

    beforeAll(async () => {
      await cast().restore('public')
      const { query } = cast().server
      const group = await makeGroup(query, idOf('owner'), { name: 'Harbour' })
      const others = ['in', 'left', 'removed'] as const
      for (const person of others)
        await putInto(query, group, idOf(person), 'in', { joinedAt: person === 'in' ? 'now' : '2026-11-01' })
      await putInto(query, group, idOf('invited'), 'invited')
      const write = async (person: Person, at = 'now') => {
        const [photo] = await query`insert into public.message_media (sender_id, conversation_id, image_url)
          values (${idOf(person)}, ${group}, ${PICTURE}) returning id`
        const [message] = await query`insert into public.messages
          (conversation_id, sender_id, content, created_at, media_id, thumbnail_url, image_width, image_height)
          values (${group}, ${idOf(person)}, 'Meet at the lantern', ${at}, ${photo?.id}, ${PICTURE}, 1, 1) returning id`
        return { id: message?.id, photo: photo?.id }
      }
      const early = await write('owner', '2026-11-15')
      const late = await write('owner')
      const left = await write('left')
      const removed = await write('removed')
      const plain = await write('owner')
      const react = async (person: Person, { id }: { id: unknown }): Promise<Subject> => {
        await query`insert into public.message_reactions (message_id, member_id, emoji) values (${id}, ${idOf(person)}, '👍')`
        return {
          key: { message_id: id, member_id: idOf(person) },
          fresh: (memberId) => ({ message_id: plain.id, member_id: memberId, emoji: '👍' }),
        }
      }
      const reactions = {
        'the reaction of a member': await react('in', late),
        'the reaction of who has left to an own message': await react('left', left),
        'the reaction of a member to a message of who has left': await react('in', left),
        'the reaction of who was removed': await react('removed', late),
      }
      await putInto(query, group, idOf('left'), 'left')
      await putInto(query, group, idOf('removed'), 'removed')
      const pairs = subjectsOf(cast())
      const of = (table: string, key: Subject['key']): Subject => ({
        key,
        fresh: (memberId) => ({ ...pairs[table]?.fresh(memberId), conversation_id: group }),
      })
      const row = (table: string, person: Person) =>
        of(table, { conversation_id: group, member_id: idOf(person) })
      subjects = {
        'the group': { key: { id: group }, fresh: () => ({ kind: 'group', name: 'Mine' }) },
        'the member who owns it': row('conversation_members', 'owner'),
        'the member who was removed': row('conversation_members', 'removed'),
        'the view of a member': row('conversation_views', 'in'),
        'the view of who is invited': row('conversation_views', 'invited'),
        'the view of who was removed': row('conversation_views', 'removed'),
        'a message': of('messages', { id: late.id }),
        'a message of before Ben joined': of('messages', { id: early.id }),
        'a message of who has left': of('messages', { id: left.id }),
        'a message of who was removed': of('messages', { id: removed.id }),
        'the photo of a message': of('message_media', { id: late.photo }),
        'the photo of who has left': of('message_media', { id: left.photo }),
        ...reactions,
      }
    })

    test.each(ALLOWED)(
      'SET-04 shows and lets write to each member what is theirs: $what',
      async ({ what, table, may }) => {
        const subject = subjects[what]
        const lines = parse(EXPECTED).find((one) => one.table === table)?.lines ?? []
        if (subject === undefined) throw new Error(`No row of ${what}`)
        const current = await currentRow(cast(), table, subject)
        expect(current).not.toEqual({})
        const attempts = lines.flatMap(({ action }) =>
          (Object.keys(PEOPLE) as Person[])
            .filter((person) => action.kind !== 'forge' || person !== 'owner')
            .map((person) => {
              const people = { owner: PEOPLE.owner }
              const me = idOf(person)
              const statement = statementOf(cast(), { table, people }, { action }, subject, me, current)
              const outcome = may[nameOf(action)]?.includes(person) ? 'yes' : 'no'
              return { tried: [nameOf(action), person, outcome], texts: [me, 'select $1', ...statement] }
            }),
        )
        const values = attempts.map(({ texts }, place) => `(${place}, ${texts.map(quoted).join()})`)
        const outcomes = await cast().server.exec(`${TRY}
        select pg_temp.try_as(member::uuid, room, statement, changes) as outcome
        from (values ${values.join()}) as attempts (place, member, room, statement, changes) order by place`)
        expect(
          attempts.map(({ tried: [action, person] }, place) => [action, person, outcomes[place]?.outcome]),
        ).toEqual(attempts.map(({ tried }) => tried))
        expect(Object.keys(may).filter((one) => !lines.some(({ action }) => nameOf(action) === one))).toEqual(
          [],
        )
      },
    )
  })
}
