import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community } = await openCommunity()

const SCHEMAS = join(import.meta.dirname, '../../../supabase/schemas')

/** Who may see a post or story: for the caller, and for a reader who is not the caller (docs/decisions/0108-one-rule-of-visibility.md). */
const RULE = ['policy posts_select', 'policy stories_select', 'private.may_read']

/** Leave out early what the rule would, and add nothing: candidates.test has the functions that propose posts. */
const WALKS = [
  'policy post_topics_select',
  'private.followed_hashtag_post_ids',
  'private.following_post_ids',
  'private.found_post_ids',
  'private.found_topics',
  'private.people_to_follow',
  'public.explore_posts',
  'public.popular_hashtags',
]

/** Ask whether nobody but the author sees a post: it has no words and topics, and is not counted. */
const WITHOUT_NOBODY = [
  'private.count_post_state',
  'private.count_posts',
  'private.move_posts_of',
  'private.recount',
  'private.set_post_words',
  'private.set_topics',
]

/** Set the audience of posts and stories, by private.audience_of(). */
const WRITERS = ['private.apply_privacy', 'private.set_audience']
/** Gives what is removed to an account that nobody follows. */
const HOLDER = ['private.hold_items']

/** Read posts and ask about members for another reason: where two have left traces, and who has muted whom. */
const ABOUT_MEMBERS = ['private.recount', 'private.traces', 'public.notification_groups']

/** A part of the rule, by the name of its function or policy. */
interface Part {
  name: string
  text: string
}

const withoutComments = (text: string) => text.replaceAll(/--.*$/gm, '')

const comparesAudience = ({ text }: Part) =>
  /\baudience\b/.test(text) && /'(public|followers|nobody)'/.test(text)

const asksAboutMembers = ({ name, text }: Part) =>
  !name.startsWith('policy ') &&
  /\b(from|join|update) (public\.)?(posts|stories|post_topics|post_media)\b/i.test(text) &&
  /\b(is_private|public\.follows|public\.blocks|my_following_ids|my_hidden_ids|my_correspondent_ids)\b/.test(
    text,
  )

/** Statements that set the audience of posts or stories. */
const writesOf = ({ text }: Part) =>
  text
    .split(';')
    .filter(
      (statement) =>
        /\binto new\.audience\b|\bnew\.audience :=/.test(statement) ||
        /\bupdate public\.(posts|stories)\b[^;]*?\bset\b[^;]*?\baudience =/.test(statement),
    )

async function readParts(): Promise<Part[]> {
  const rows = await community.sql`
    select n.nspname || '.' || p.proname as name, p.prosrc as text from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'private')
    union all select 'policy ' || policyname, concat(qual, ' ', with_check) from pg_policies where schemaname = 'public'`
  return rows.map(({ name, text }) => ({ name: String(name), text: withoutComments(String(text)) }))
}

/** The names with the file that defines each, to open it. */
async function withFiles(parts: Part[]): Promise<string[]> {
  const files = await readdir(SCHEMAS)
  const texts = await Promise.all(files.map((file) => readFile(join(SCHEMAS, file), 'utf8')))
  return parts.map(({ name }) => {
    const written = name.startsWith('policy ') ? `create ${name} ` : `function ${name}(`
    return `${name} in ${files[texts.findIndex((text) => text.includes(written))] ?? 'no file'}`
  })
}

/** What repeats the rule or sets an audience, and is not in the lists above. */
async function findRepeats(parts: Part[]): Promise<string[]> {
  const allowed = {
    compares: [...RULE, ...WALKS, ...WITHOUT_NOBODY, ...WRITERS, ...HOLDER],
    asks: [...WALKS, ...WRITERS, ...HOLDER, ...ABOUT_MEMBERS],
    writes: HOLDER,
  }
  return withFiles([
    ...parts.filter((part) => comparesAudience(part) && !allowed.compares.includes(part.name)),
    ...parts.filter((part) => asksAboutMembers(part) && !allowed.asks.includes(part.name)),
    ...parts.filter(
      (part) =>
        !allowed.writes.includes(part.name) &&
        (WRITERS.includes(part.name)
          ? writesOf(part).some((statement) => !statement.includes('private.audience_of('))
          : writesOf(part).length > 0),
    ),
  ])
}

test('no function or policy repeats who may see a post, and audience is written through audience_of() only', async () => {
  const parts = await readParts()
  expect(await findRepeats(parts)).toEqual([])
  const names = parts
    .filter((part) => comparesAudience(part) || asksAboutMembers(part))
    .map(({ name }) => name)
  const listed = [...RULE, ...WALKS, ...WITHOUT_NOBODY, ...WRITERS, ...HOLDER, ...ABOUT_MEMBERS]
  expect(listed.filter((name) => !names.includes(name))).toEqual(['private.set_audience'])
  expect(
    parts
      .filter((part) => writesOf(part).length > 0)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...WRITERS, ...HOLDER].toSorted())
})

test.each([
  ['compares', `select p.id from public.posts p where p.audience = 'public'`],
  ['compares in a list', `select p.id from public.posts p where p.audience in ('public', 'followers')`],
  [
    'asks who is followed',
    'select p.id from public.posts p where p.user_id in (select private.my_following_ids())',
  ],
  [
    'asks who is private',
    'select p.id from posts p join profiles a on a.id = p.user_id where not a.is_private',
  ],
  ['writes', `update public.posts p set state = 'hidden', audience = new.state where p.id = new.id`],
  ['writes in a trigger', 'begin new.audience := new.state; end'],
])('the check finds a function that %s', async (_, text) => {
  expect(await findRepeats([{ name: 'private.other_rule', text }])).toEqual(['private.other_rule in no file'])
})

test('the check names the file of what it finds', async () => {
  expect(await withFiles([{ name: 'private.may_read', text: '' }])).toEqual([
    expect.stringMatching(/^private\.may_read in \d\d_\w+\.sql$/),
  ])
})
