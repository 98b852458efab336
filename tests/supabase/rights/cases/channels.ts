import { beforeEach, describe, expect, test } from 'vitest'
import { rowsOf } from '#tests/supabase/rights/answers'
import type { Cast, Name } from '#tests/supabase/rights/cast'
import { block, unblock } from '#tests/supabase/rights/connections'
import { type MemberState, makeGroup, putInto } from '#tests/supabase/schema/support/groups'

/** Access to private channels: Realtime checks the policies of realtime.messages as the member, with the topic set. */
export function describeChannels(cast: () => Cast): void {
  /** SQL that makes the rest of its transaction a request of this member about this channel, with a session of theirs unless another is named. */
  function asMember(name: Name | null, topic: string, sessionId?: string): string {
    const sub = name === null ? '' : cast().members[name].id
    const role = name === null ? 'anon' : 'authenticated'
    const session =
      sessionId === undefined
        ? `(select id from auth.sessions where user_id = nullif('${sub}', '')::uuid limit 1)`
        : `'${sessionId}'`
    return `select set_config('request.jwt.claim.sub', '${sub}', true),
      set_config('request.jwt.claims', json_build_object('sub', '${sub}', 'role', '${role}', 'session_id',
        ${session})::text, true),
      set_config('realtime.topic', '${topic}', true), set_config('role', '${role}', true)`
  }

  type Extension = 'broadcast' | 'presence'

  async function hears(
    name: Name | null,
    topic: string,
    extension: Extension = 'broadcast',
  ): Promise<boolean> {
    const rows = await cast().server.exec(`
      insert into realtime.messages (topic, extension) values ('${topic}', '${extension}');
      ${asMember(name, topic)};
      select 1 from realtime.messages where extension = '${extension}' limit 1`)
    return rows.length === 1
  }

  async function speaks(
    name: Name | null,
    topic: string,
    extension: Extension = 'broadcast',
  ): Promise<boolean> {
    const insert = `insert into realtime.messages (topic, extension) values ('${topic}', '${extension}')`
    return cast()
      .server.exec(`${asMember(name, topic)}; ${insert}`)
      .then(
        () => true,
        (error: { code?: string }) => {
          expect(error.code).toBe('42501')
          return false
        },
      )
  }

  /** A message by this member in the conversation of Ada and Max. */
  async function answer(name: 'ada' | 'max'): Promise<void> {
    const { members, ids } = cast()
    const row = { conversation_id: ids.conversation, sender_id: members[name].id, content: 'On Friday then' }
    const { error } = await members[name].client.from('messages').insert(row)
    expect(error).toBeNull()
  }

  describe('private channels', () => {
    beforeEach(async () => {
      await cast().restore('public')
      await answer('max')
    })

    test('FEED-15 members who may see a post can listen to its channel, and nobody can send in it', async () => {
      const topic = `post:${cast().ids.post}`
      const people = ['ada', 'fay', 'sid', null] as const
      const rights = async () => {
        const found = []
        for (const name of people) found.push([await hears(name, topic), await speaks(name, topic)])
        return found
      }
      const [yes, no] = [
        [true, false],
        [false, false],
      ]
      expect(await rights()).toEqual([yes, yes, yes, no])
      expect(await hears('sid', topic, 'presence')).toBe(false)
      expect(await hears('sid', 'post:nothing')).toBe(false)
      expect(await hears('sid', `post:${crypto.randomUUID()}`)).toBe(false)
      await block(cast(), 'ada', 'sid')
      expect(await hears('sid', topic)).toBe(false)
      await cast().restore('private')
      expect(await rights()).toEqual([yes, yes, no, no])
    })

    test('MSG-10 only the two members of a conversation can join its room', async () => {
      const topic = `room:${cast().ids.conversation}:0`
      const people = ['ada', 'max', 'sid', 'fay', 'nia', null] as const
      const rights = []
      for (const name of people) rights.push([name, await hears(name, topic), await speaks(name, topic)])
      expect(rights).toEqual([
        ['ada', true, true],
        ['max', true, true],
        ['sid', false, false],
        ['fay', false, false],
        ['nia', false, false],
        [null, false, false],
      ])
    })

    test('SET-05 MSG-10 a member cannot join or see the activity of the other before the other has written', async () => {
      await cast().restore('public')
      const { ada, max, sid } = cast().members
      const { conversation } = cast().ids
      const emptyConversation = crypto.randomUUID()
      const row = { id: emptyConversation, participant_1: ada.id, participant_2: sid.id }
      expect((await sid.client.from('conversations').insert(row)).error).toBeNull()
      for (const { client } of [ada, max, sid]) await client.rpc('touch_activity')
      const knows = async (name: Name, other: Name, id: string) => [
        await hears(name, `room:${id}:0`),
        await speaks(name, `room:${id}:0`),
        await hears(name, `room:${id}:0`, 'presence'),
        rowsOf(
          await cast()
            .members[name].client.from('activity')
            .select('user_id')
            .eq('user_id', cast().members[other].id),
        ).length === 1,
      ]
      const nothing = [false, false, false, false]
      const all = [true, true, true, true]
      // Sid and Ada have a conversation without messages; in the other one, Ada has written to Max.
      expect(await knows('sid', 'ada', emptyConversation)).toEqual(nothing)
      expect(await knows('ada', 'sid', emptyConversation)).toEqual(nothing)
      expect(await knows('max', 'ada', conversation)).toEqual(all)
      expect(await knows('ada', 'max', conversation)).toEqual(nothing)
      await answer('max')
      expect(await knows('ada', 'max', conversation)).toEqual(all)
      const hello = { conversation_id: emptyConversation, sender_id: sid.id, content: 'Hello' }
      expect((await sid.client.from('messages').insert(hello)).error).toBeNull()
      expect(await knows('sid', 'ada', emptyConversation)).toEqual(nothing)
      expect(await knows('ada', 'sid', emptyConversation)).toEqual(all)
    })

    test('MSG-01 MSG-02 a conversation without messages is listed only for the member who started it', async () => {
      await cast().restore('public')
      const { ada, sid } = cast().members
      const id = crypto.randomUUID()
      const row = { id, participant_1: ada.id, participant_2: sid.id }
      expect((await sid.client.from('conversations').insert(row)).error).toBeNull()
      const lists = async (name: 'ada' | 'sid') =>
        rowsOf(
          await cast()
            // A message of a stranger waits among Ada's requests.
            .members[name].client.rpc('my_conversations', {
              in_folder: name === 'ada' ? 'requests' : 'inbox',
            })
            .eq('id', id),
        ).length === 1
      expect([await lists('ada'), await lists('sid')]).toEqual([false, true])
      // Both can read it, so that the other member finds it when they start a conversation.
      expect(rowsOf(await ada.client.from('conversations').select('id').eq('id', id))).toEqual([{ id }])
      const forged = {
        ...row,
        id: crypto.randomUUID(),
        participant_2: cast().members.fay.id,
        started_by: ada.id,
      }
      expect((await ada.client.from('conversations').insert(forged)).error?.code).toBe('42501')
      const hello = { conversation_id: id, sender_id: sid.id, content: 'Hello' }
      expect((await sid.client.from('messages').insert(hello)).error).toBeNull()
      expect([await lists('ada'), await lists('sid')]).toEqual([true, true])
    })

    test('SET-05 MSG-10 a member who hides their activity neither sends nor receives typing and presence', async () => {
      const topic = `room:${cast().ids.conversation}:0`
      const may = async (name: Name) => [
        await hears(name, topic, 'presence'),
        await hears(name, topic, 'broadcast'),
        await speaks(name, topic, 'presence'),
        await speaks(name, topic, 'broadcast'),
      ]
      const [nothing, all] = [Array(4).fill(false), Array(4).fill(true)]
      const show = async (isOn: boolean) => {
        const { ada } = cast().members
        const { error } = await ada.client
          .from('profiles')
          .update({ show_activity_status: isOn })
          .eq('id', ada.id)
        expect(error).toBeNull()
      }
      await show(false)
      expect([await may('ada'), await may('max'), await may('sid')]).toEqual([nothing, all, nothing])
      await show(true)
      expect(await may('ada')).toEqual(all)
    })

    test('SAFE-01 neither member can join the room of a closed conversation, and afterwards only one with another epoch', async () => {
      await block(cast(), 'max', 'ada')
      const room = (epoch: number) => `room:${cast().ids.conversation}:${epoch}`
      const rights = async (topic: string) => {
        const found = []
        for (const name of ['ada', 'max'] as const)
          found.push(await hears(name, topic), await speaks(name, topic))
        return found
      }
      for (const epoch of [0, 1, 2])
        expect([epoch, await rights(room(epoch))]).toEqual([epoch, Array(4).fill(false)])
      await unblock(cast(), 'max', 'ada')
      for (const epoch of [0, 1, 2])
        expect([epoch, await rights(room(epoch))]).toEqual([epoch, Array(4).fill(epoch === 1)])
    })

    test('only who is in a group can join its topics of the present epoch, and the database alone sends to all', async () => {
      const { members, server } = cast()
      const group = await makeGroup(server.query, members.ada.id)
      const put = (name: Name, state: MemberState) => putInto(server.query, group, members[name].id, state)
      for (const [name, state] of [
        ['ben', 'in'],
        ['max', 'in'],
        ['fay', 'invited'],
        ['sid', 'left'],
      ] as const)
        await put(name, state)
      const people = ['ada', 'ben', 'max', 'fay', 'sid', 'nia', null] as const
      /** Who may do what with the topics of this epoch. */
      const rights = async (epoch: number) => {
        const found: Record<string, string> = {}
        for (const name of people) {
          const may = []
          for (const kind of ['conversation', 'room'])
            for (const extension of ['broadcast', 'presence'] as const) {
              if (await hears(name, `${kind}:${group}:${epoch}`, extension))
                may.push(`hear ${kind} ${extension}`)
              if (await speaks(name, `${kind}:${group}:${epoch}`, extension))
                may.push(`send ${kind} ${extension}`)
            }
          if (may.length > 0) found[String(name)] = may.join(', ')
        }
        return found
      }
      const all =
        'hear conversation broadcast, hear room broadcast, send room broadcast, hear room presence, send room presence'
      expect(await rights(0)).toEqual({ ada: all, ben: all, max: all })
      expect(await rights(1)).toEqual({})
      await put('max', 'removed')
      expect([await rights(0), await rights(1), await rights(2)]).toEqual([{}, { ada: all, ben: all }, {}])
      await put('ben', 'left')
      expect([await rights(1), await rights(2)]).toEqual([{}, { ada: all }])
    })

    test('MSG-08 AUTH-16 only a member with a session can join the member channel, and nobody can send to it', async () => {
      const topic = `member:${cast().members.ada.id}`
      const people = ['ada', 'max', 'sid', 'fay', null] as const
      const rights = []
      for (const name of people) {
        const presence = (await hears(name, topic, 'presence')) || (await speaks(name, topic, 'presence'))
        rights.push([name, await hears(name, topic), await speaks(name, topic), presence])
      }
      expect(rights).toEqual([
        ['ada', true, false, false],
        ['max', false, false, false],
        ['sid', false, false, false],
        ['fay', false, false, false],
        [null, false, false, false],
      ])
      const ended = asMember('ada', topic, crypto.randomUUID())
      const rows = await cast().server.exec(`
        insert into realtime.messages (topic, extension) values ('${topic}', 'broadcast');
        ${ended};
        select 1 from realtime.messages where extension = 'broadcast' limit 1`)
      expect(rows).toEqual([])
    })

    test('nobody can join any other private channel', async () => {
      const { conversation } = cast().ids
      for (const topic of [
        '',
        'room',
        'member:',
        'member',
        'conversation:',
        'room:',
        `conversation:${conversation}`,
        // A pair has no topic of its own: its messages come in the channels of its members.
        `conversation:${conversation}:0`,
        `room:${conversation}`,
        `room:${conversation}:`,
        `room:${conversation}:00`,
        `room:${conversation}:0x`,
        conversation,
      ]) {
        expect([topic, await hears('ada', topic), await speaks('ada', topic)]).toEqual([topic, false, false])
      }
    })
  })
}
