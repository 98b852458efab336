import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { version } from '../../../package.json'
import { openCommunity } from './support/community'
import { brokenBy, contractOf } from './support/contract'

const CONTRACTS = join(import.meta.dirname, '../../../supabase/contracts')
const { community } = await openCommunity('mia')

const readContract = (of: string) =>
  readFileSync(join(CONTRACTS, `${of}.txt`), 'utf8')
    .trim()
    .split('\n')

/** The two versions before this one. */
const EARLIER = readdirSync(CONTRACTS)
  .map((name) => name.replace(/\.txt$/, ''))
  .filter((each) => each !== version)
  .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  .slice(0, 2)

test('the contract of this version is written down (npx vitest run contract -u)', async () => {
  const lines = await contractOf(community.pg)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(CONTRACTS, `${version}.txt`))
})

test('apps of the last two versions find everything that they use, and have to give nothing new', async () => {
  const now = await contractOf(community.pg)
  const broken = EARLIER.map((each) => [each, brokenBy(now, readContract(each))])
  expect(Object.fromEntries(broken)).toEqual(Object.fromEntries(EARLIER.map((each) => [each, []])))
})

describe('a contract is broken by', () => {
  const CHANGES: [change: string, broken: string[]][] = [
    ['alter table public.posts drop column location cascade', ['posts.location text: insert']],
    ['revoke update (location) on public.posts from authenticated', ['posts.location text: update']],
    [
      'alter table public.saved_posts alter created_at type timestamp',
      ['saved_posts.created_at timestamp with time zone: select'],
    ],
    ['revoke delete on public.likes from authenticated', ['likes: delete']],
    [
      'alter table public.likes rename constraint likes_post_id_fkey to likes_post_fkey',
      ['likes_post_id_fkey: likes.post_id refers to posts, many'],
    ],
    [
      'drop function public.renamed_to(text)',
      ['renamed_to(): may be called', 'renamed_to(): takes name text'],
    ],
    [
      'revoke execute on function public.username_available(text) from anon',
      ['username_available(): may be called before sign-in'],
    ],
    [
      `drop function public.renamed_to(text);
       create function public.renamed_to(name text, since date) returns text language sql return name`,
      ['needed: renamed_to(since)'],
    ],
    [
      `alter table public.likes add kind text; update public.likes set kind = 'like';
       alter table public.likes alter kind set not null; grant insert (kind) on public.likes to authenticated`,
      ['needed: likes.kind'],
    ],
  ]

  test.each(CHANGES)('%s', async (change, broken) => {
    const before = await contractOf(community.pg)
    const after = await inRolledBack(change)
    expect(brokenBy(after, before)).toEqual(expect.arrayContaining(broken))
  })

  test('a channel, a broadcast or a subscription that is gone', async () => {
    const lines = await contractOf(community.pg)
    const kept = lines.filter((line) => !/^(channel room|members broadcast|changes of messages)/.test(line))
    expect(brokenBy(kept, lines)).toHaveLength(3)
  })
})

test('new tables, columns with a default and functions break nothing', async () => {
  const before = await contractOf(community.pg)
  const after = await inRolledBack(`
    create table public.albums (id uuid primary key, name text not null);
    grant select, insert (id, name) on public.albums to authenticated;
    alter table public.likes add kind text not null default 'like';
    grant insert (kind), select (kind) on public.likes to authenticated;
    create function public.album(name text) returns text language sql return name`)
  expect(after.length).toBeGreaterThan(before.length)
  expect(brokenBy(after, before)).toEqual([])
})

/** The contract after a change, which is undone. */
async function inRolledBack(change: string): Promise<string[]> {
  await community.pg.exec('begin')
  try {
    await community.pg.exec(change)
    return await contractOf(community.pg)
  } finally {
    await community.pg.exec('rollback')
  }
}
