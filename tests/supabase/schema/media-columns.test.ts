import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addObjects, videoOf } from '#tests/supabase/objects'
import { openOwnCommunity } from './support/community'
import { makeGroup, putInto } from './support/groups'

const { community, ada, ben } = await openOwnCommunity('ada', 'ben')
const { sql, as } = community

const columns = (await sql('select of_table, of_column, owner_column from private.media_columns()')) as {
  of_table: string
  of_column: string
  owner_column: string
}[]

const [sent, sentThumbnail, avatar] = await addObjects(sql, ada)
const [media_path, poster_path] = await addObjects(sql, ada)
const conversation = randomUUID()
const [video] = await addObjects(sql, ada, { extension: 'mp4' })
await as(ada, 'select create_post($1, null, null, $2)', [
  randomUUID(),
  JSON.stringify([videoOf(await addObjects(sql, ada), video)]),
])
await as(
  ada,
  `insert into stories (user_id, media_type, media_path, poster_path) values ($1, 'image', $2, $3)`,
  [ada, media_path, poster_path],
)
await sql('insert into conversations (id, participant_1, participant_2) values ($1, $2, $3)', [
  conversation,
  ada,
  ben,
])
await as(
  ada,
  `with medium as (
      insert into message_media (conversation_id, sender_id, media_path, poster_path) values ($1, $2, $3, $4) returning id
    )
    insert into messages (conversation_id, sender_id, content, media_id, image_width, image_height, thumbhash)
      select $1, $2, '', id, 4, 3, 'AAAA' from medium`,
  [conversation, ada, sent, sentThumbnail],
)
await as(ada, 'update profiles set avatar_path = $2 where id = $1', [ada, avatar])
const group = await makeGroup(sql, ada)
await putInto(sql, group, ben, 'in')
await sql('update conversations set picture_path = $2, pictured_by = $3 where id = $1', [
  group,
  (await addObjects(sql, ada))[0],
  ada,
])

const one = async (statement: string, values: unknown[] = []) =>
  Object.values((await sql(statement, values))[0] ?? {})[0]

const unused = async () => ({
  examined: await one('select count(*)::integer from private.examine_objects($1, 100) where is_unused', ['']),
  own: (await as(ada, 'select name from my_unused_objects()')).length,
  removed: (await as(ada, 'delete from storage.objects where bucket_id = $1 returning 1', ['media'])).length,
})

test.each(columns)(
  'MEDIA-04 a key in $of_table.$of_column is used and visible, and has an index of its own',
  async ({ of_table, of_column, owner_column }) => {
    const key = await one(`select ${of_column} from public.${of_table} where ${owner_column} = $1`, [ada])
    expect(await one('select private.is_object_used($1)', [key])).toBe(true)
    expect(
      await sql('select 1 from private.used_objects($1) as used where used = $2', [ada, key]),
    ).toHaveLength(1)
    expect(await as(ben, 'select private.visible_objects($1) as key', [[key]])).toEqual([{ key }])
    expect(await as(ben, 'select name from storage.objects where name = $1', [key])).toEqual([{ name: key }])
    expect(
      await one(
        `select count(*)::integer from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attname = $2
        where i.indrelid = $1::regclass and i.indisunique and i.indkey::text = a.attnum::text`,
        [`public.${of_table}`, of_column],
      ),
    ).toBe(1)
  },
)

test('MEDIA-04 the description has each column whose check or name says that it holds keys', async () => {
  expect(await one('select private.unmatched_media_columns()')).toEqual([])
  const checked = await sql(
    `select t.tgrelid::regclass::text as of_table, (string_to_array(encode(t.tgargs, 'escape'), '\\000'))[1] as owner_column,
        unnest((string_to_array(rtrim(encode(t.tgargs, 'escape'), '\\0'), '\\000'))[2:]) as of_column
      from pg_trigger t where t.tgfoid = 'private.check_objects()'::regprocedure`,
  )
  expect(checked).toHaveLength(columns.length)
  expect(checked).toEqual(expect.arrayContaining(columns))
})

test('MEDIA-04 nothing in the catalog has the former name of a renamed table or column', async () => {
  const texts = await sql(`
    select p.oid::regprocedure::text as of, pg_get_functiondef(p.oid) as text from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prokind = 'f'
    union all select t.tgname, pg_get_triggerdef(t.oid) from pg_trigger t where not t.tgisinternal
    union all select k.conname, k.conname || ' ' || pg_get_constraintdef(k.oid) from pg_constraint k
    union all select i.indexname, i.indexdef from pg_indexes i
    union all select p.policyname, concat_ws(' ', p.policyname, p.qual, p.with_check) from pg_policies p`)
  const former =
    /\b(post_photos?|message_photos?|messages_photos?)(?=\b|_)|\b(image_path|thumbnail_path|photo_id)\b/
  // Quotas keep the names that operators have set them under.
  const isLeft = ({ text }: (typeof texts)[number]) =>
    former.test(String(text).replaceAll("count_quota('message_photos')", ''))
  expect(texts.filter(isLeft).map(({ of }) => of)).toEqual([])
})

test('apps that ask for the former tables are told to update', async () => {
  expect(await one(`select public.setup_status() ->> 'serves' >= '20261128001210'`)).toBe(true)
})

test('MEDIA-04 generating again changes nothing', async () => {
  const generated = () =>
    sql(`select pg_get_functiondef(f) as text from unnest(array[
        'private.visible_objects(text[])', 'private.is_object_used(text)', 'private.used_objects(uuid)'
      ]::regprocedure[]) as f
      union all select qual from pg_policies where policyname = 'media_select'`)
  const before = await generated()
  expect(before).toHaveLength(4)
  await sql('select private.generate_media(), private.create_media_bucket()')
  expect(await generated()).toEqual(before)
})

test.each([
  [
    'by its name',
    'alter table private.jobs add evidence_path text',
    'alter table private.jobs drop evidence_path',
  ],
  [
    'by its check',
    `alter table private.jobs add evidence text check (private.is_object_key(evidence, subject_id, 'image'))`,
    'alter table private.jobs drop evidence',
  ],
  [
    'that is missing',
    'alter table stories rename poster_path to poster',
    'alter table stories rename poster to poster_path',
  ],
])(
  'MEDIA-04 a column that differs from the description, found %s, stops all deletion',
  async (_, change, undo) => {
    await sql('delete from private.jobs')
    const gone = randomUUID()
    await addObjects(sql, gone)
    await sql(`update storage.objects set created_at = now() - interval '25 hours'`)
    await sql(`insert into private.jobs (kind, subject_id) values ('objects', $1)`, [gone])
    const waiting = () => one('select count(*)::integer from public.waiting_objects(10)')
    expect(await waiting()).toBe(4)
    await sql(change)
    expect(await unused()).toEqual({ examined: 0, own: 0, removed: 0 })
    expect(await waiting()).toBe(0)
    await sql(undo)
    await sql('delete from storage.objects where name like $1', [`${gone}/%`])
  },
)

test('MEDIA-04 without their rows all of them are unused', async () => {
  await sql('update profiles set avatar_path = null')
  for (const table of ['posts', 'stories', 'messages', 'message_media', 'conversations'])
    await sql(`delete from ${table}`)
  expect(await one('select count(*)::integer from private.used_objects($1)', [ada])).toBe(0)
  await sql(`update storage.objects set created_at = now() - interval '25 hours'`)
  expect(await unused()).toEqual({ examined: 20, own: 20, removed: 20 })
})
