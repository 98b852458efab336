import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '#tests/backend/support/server'
import { addObjects } from '#tests/supabase/objects'

/**
 * Who may do what with the row of each of Ada's objects. Reading a row is what Storage requires for signing, downloading, listing and
 * copying. `follower` follows Ada, `recipient` has received her message, `blocked` is blocked by her, and `blocker` has blocked her;
 * `out` is signed out, `ended` has the token of a session that Ada has ended, and `gone` one of a deleted account. `suspended` is Ada while
 * she is suspended, and `fan` a suspended follower.
 * Cells as in expected.ts: yes/no is with Ada's account public / private.
 */
const EXPECTED = `
                        owner follower stranger recipient blocked blocker out ended gone suspended fan
select post             yes   yes      yes/no   yes/no    no      no      no  no    no   yes       no
select middle           yes   yes      yes/no   yes/no    no      no      no  no    no   yes       no
select feed             yes   yes      yes/no   yes/no    no      no      no  no    no   yes       no
select grid             yes   yes      yes/no   yes/no    no      no      no  no    no   yes       no
select story            yes   yes      yes/no   yes/no    no      no      no  no    no   yes       no
select poster           yes   yes      yes/no   yes/no    no      no      no  no    no   yes       no
select expired          yes   no       no       no        no      no      no  no    no   yes       no
select sent             yes   no       no       yes       no      no      no  no    no   yes       no
select unsent           yes   no       no       no        no      no      no  no    no   yes       no
select avatar           yes   yes      yes      yes       no      yes     no  no    no   yes       no
select unused           yes   no       no       no        no      no      no  no    no   yes       no
insert                  yes   no       no       no        no      no      no  no    no   no        no
insert-own              yes   yes      yes      yes       yes     yes     no  no    no   no        no
insert-again            no    no       no       no        no      no      no  no    no   no        no
update post             no    no       no       no        no      no      no  no    no   no        no
update unused           no    no       no       no        no      no      no  no    no   no        no
delete post             no    no       no       no        no      no      no  no    no   no        no
delete middle           no    no       no       no        no      no      no  no    no   no        no
delete story            no    no       no       no        no      no      no  no    no   no        no
delete expired          no    no       no       no        no      no      no  no    no   no        no
delete sent             no    no       no       no        no      no      no  no    no   no        no
delete avatar           no    no       no       no        no      no      no  no    no   no        no
delete unused           yes   no       no       no        no      no      no  no    no   yes       no
`

type Reader = Record<'role' | 'member' | 'session', string> & { isSuspended?: boolean }
type Objects = Record<string, string>
type Database = Pick<TestServer, 'query' | 'exec'>

const [, header = '', ...LINES] = EXPECTED.split('\n').slice(0, -1)
const READERS = header.trim().split(/\s+/)

/** The SQL of an action on an object. */
function statementOf(action: string, key: string, { member }: Reader): string {
  const insert = (name: string) =>
    `insert into storage.objects (bucket_id, name, metadata) values ('media', '${name}', '{"size": 1}')`
  const where = `where bucket_id = 'media' and name = '${key}'`
  switch (action) {
    case 'select':
      return `select from storage.objects ${where}`
    case 'insert':
      return insert(`${key.split('/')[0]}/${crypto.randomUUID()}.webp`)
    case 'insert-own':
      return insert(`${member}/${crypto.randomUUID()}.webp`)
    case 'insert-again':
      return insert(key)
    case 'update':
      return `update storage.objects set updated_at = now() ${where}`
    case 'delete':
      return `delete from storage.objects ${where}`
    default:
      throw new Error(`'${action}' is no action`)
  }
}

const quote = (text: string) => `$text$${text}$text$`

/**
 * Rights on the rows of Storage, as its API uses them: SQL as each reader. Needs only a database with the migrations, so it also runs
 * on an imitation of a hosted project.
 */
export function describeObjects(database: () => Database): void {
  describe('objects in Storage', () => {
    let objects: Objects
    let readers: Record<string, Reader>

    beforeAll(async () => {
      readers = await addReaders(database())
      objects = await addRows(database(), readers)
    })
    afterAll(async () => {
      const ids = Object.values(readers).map(({ member }) => `'${member}'`)
      await database().exec(`
        select set_config('storage.allow_delete_query', 'true', true);
        delete from storage.objects where split_part(name, '/', 1) in (${ids.join()});
        delete from auth.users where id in (${ids.join()})`)
    })

    /** Tries all statements as a reader in one transaction, in which none has an effect. Returns 'yes', 'no' or an unexpected code. */
    async function tryAll(reader: Reader, statements: string[]): Promise<string[]> {
      const claims = { sub: reader.member, session_id: reader.session, role: reader.role }
      const [row] = await database().exec(`
        delete from private.member_states where member_id = '${reader.member}';
        insert into private.member_states (member_id, state)
          select '${reader.member}', 'suspended' where ${reader.isSuspended === true};
        select set_config('request.jwt.claims', ${quote(JSON.stringify(claims))}, true),
          set_config('request.jwt.claim.sub', '${reader.member}', true),
          -- A hosted project allows deletion only to Storage itself, which sets this.
          set_config('storage.allow_delete_query', 'true', true);
        set local role ${reader.role};
        do $$
        declare
          statement text;
          affected integer;
          outcomes text[] := '{}';
        begin
          foreach statement in array array[${statements.map(quote).join()}]::text[] loop
            begin
              execute statement;
              get diagnostics affected = row_count;
              raise sqlstate 'ROWSN' using message = affected;
            exception
              when sqlstate 'ROWSN' then outcomes := outcomes || case sqlerrm when '0' then 'no' when '1' then 'yes' else sqlerrm end;
              when insufficient_privilege then outcomes := outcomes || 'no'::text;
              when others then outcomes := outcomes || sqlstate;
            end;
          end loop;
          perform set_config('test.outcomes', array_to_json(outcomes)::text, true);
        end
        $$;
        select current_setting('test.outcomes') as outcomes;`)
      return JSON.parse(String(row?.outcomes)) as string[]
    }

    for (const privacy of ['public', 'private'] as const) {
      test(`MEDIA-01 the rights on Ada’s objects follow from her rows, with a ${privacy} account`, async () => {
        await database().query('update public.profiles set is_private = $2 where id = $1', [
          readers.owner?.member,
          privacy === 'private',
        ])
        const expected: Record<string, string[]> = {}
        const found: Record<string, string[]> = {}
        const parsed = LINES.map((line) => {
          const words = line.trim().split(/\s+/)
          const cells = words.splice(-READERS.length)
          const [action = '', object = 'post'] = words
          return { title: words.join(' '), action, key: objects[object] ?? '', cells }
        })
        for (const [index, name] of READERS.entries()) {
          const reader = readers[name]
          if (reader === undefined) throw new Error(`Nobody is ${name}`)
          const outcomes = await tryAll(
            reader,
            parsed.map(({ action, key }) => statementOf(action, key, reader)),
          )
          for (const [line, { title, cells }] of parsed.entries()) {
            const [open = '', closed = open] = (cells[index] ?? '').split('/')
            expected[title] = [...(expected[title] ?? []), privacy === 'public' ? open : closed]
            found[title] = [...(found[title] ?? []), outcomes[line] ?? '']
          }
        }
        expect(found).toEqual(expected)
      })
    }

    test('MEDIA-01 visible_objects returns the objects that a reader may select', async () => {
      const keys = Object.values(objects)
      for (const reader of Object.values(readers).filter(({ role }) => role === 'authenticated')) {
        const read = await tryAll(
          reader,
          keys.map((key) => statementOf('select', key, reader)),
        )
        const visible = await tryAll(
          reader,
          keys.map((key) => `select from private.visible_objects(array['${key}'])`),
        )
        const count = new Set(keys.filter((_, index) => read[index] === 'yes')).size
        const all = `select from (
          select distinct key from private.visible_objects(array[${keys.map((key) => `'${key}'`).join()}]) as key) as found
          having count(*) = ${count}`
        expect(visible).toEqual(read)
        expect(await tryAll(reader, [all])).toEqual(['yes'])
      }
    })

    test('MEDIA-01 an upload that began before the object was stored does not replace it', async () => {
      // Storage ends an upload like this, without the rights of the member.
      const end = database().query(
        `insert into storage.objects (bucket_id, name, version) values ('media', $1, $2)
          on conflict (name, bucket_id) do update set version = excluded.version`,
        [objects.post, crypto.randomUUID()],
      )
      await expect(end).rejects.toMatchObject({ code: '23505' })
    })

    test('MEDIA-01 visitors and members see no row of the bucket', async () => {
      for (const reader of Object.values(readers)) {
        expect(await tryAll(reader, ['select from storage.buckets'])).toEqual(['no'])
      }
    })
  })
}

/** Signs up a member for each reader: as the owner of the database, because a hosted project's sign-up is not part of it. */
async function addReaders({ query }: Database): Promise<Record<string, Reader>> {
  const readers: Record<string, Reader> = {}
  for (const name of READERS) {
    const [member, session] = [crypto.randomUUID(), crypto.randomUUID()]
    readers[name] = { role: 'authenticated', member, session }
    if (['out', 'ended', 'gone', 'suspended'].includes(name)) continue
    await query('insert into auth.users (id, email) values ($1, $2)', [member, `${name}@objects.example.com`])
    await query`insert into auth.sessions (id, user_id) values (${session}, ${member})`
    await query('insert into public.profiles (id, username) values ($1, $2)', [member, `objects.${name}`])
  }
  const { owner, fan } = readers
  if (owner === undefined || fan === undefined) throw new Error('Nobody is the owner')
  return {
    ...readers,
    out: { ...owner, role: 'anon' },
    ended: { ...owner, session: crypto.randomUUID() },
    suspended: { ...owner, isSuspended: true },
    fan: { ...fan, isSuspended: true },
  }
}

/** Adds Ada's rows with objects: as their owner, because the rights on the rows have their tests. */
async function addRows({ query }: Database, readers: Record<string, Reader>): Promise<Objects> {
  const idOf = (name: string) => readers[name]?.member ?? ''
  const ada = idOf('owner')
  const [full, feed, grid, middle] = await addObjects(query, ada)
  const [story, poster, expired] = await addObjects(query, ada)
  const [sent, unsent, avatar] = await addObjects(query, ada)
  const [unused] = await addObjects(query, ada)
  const [post, conversation] = [crypto.randomUUID(), crypto.randomUUID()]
  await query`insert into public.follows (follower_id, following_id)
    values (${idOf('follower')}, ${ada}), (${idOf('fan')}, ${ada})`
  await query`insert into public.blocks (blocker_id, blocked_id)
    values (${ada}, ${idOf('blocked')}), (${idOf('blocker')}, ${ada})`
  await query`update public.profiles set avatar_path = ${avatar} where id = ${ada}`
  await query`insert into public.posts (id, user_id, content) values (${post}, ${ada}, 'A weir')`
  await query`
    insert into public.post_media (user_id, post_id, position, full_path, feed_path, grid_path, middle_path, width, height,
        thumbhash)
      values (${ada}, ${post}, 0, ${full}, ${feed}, ${grid}, ${middle}, 4, 3, 'AAAA')`
  await query`insert into public.stories (user_id, media_type, media_path, poster_path, expires_at)
      values (${ada}, 'image', ${story}, ${poster}, now() + interval '1 hour'), (${ada}, 'image', ${expired}, null, now() - interval '1 hour')`
  await query`insert into public.conversations (id, participant_1, participant_2)
    values (${conversation}, ${ada}, ${idOf('recipient')})`
  await query`insert into public.message_media (sender_id, conversation_id, media_path, poster_path)
      values (${ada}, ${conversation}, ${sent}, ${sent}), (${ada}, ${conversation}, ${unsent}, ${unsent})`
  await query`
    insert into public.messages (sender_id, conversation_id, content, media_id, thumbhash, image_width, image_height)
      select ${ada}, ${conversation}, '', id, 'AAAA', 4, 3 from public.message_media where media_path = ${sent}`
  return { post: full, middle, feed, grid, story, poster, expired, sent, unsent, avatar, unused }
}
