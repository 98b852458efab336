import { describe, expect, test } from 'vitest'
import { runSupabase } from './support/command'
import { openOwnCommunity } from './support/community'
import { withConnectionUrl } from './support/migrated-database'

const { community } = await openOwnCommunity()

const runAdvisors = () =>
  withConnectionUrl(community.pg, (url) =>
    runSupabase(['db', 'advisors', '--remote', url, '--level', 'warn', '--fail-on', 'warn']),
  )

describe("Supabase's advisors", () => {
  test('report no warnings', async () => {
    expect(await runAdvisors()).toMatchObject({ code: 0, output: expect.stringContaining('No issues found') })
  })

  test('report a table without row security and a function without a search_path', async () => {
    await community.pg.exec(`
      create table public.open (id uuid primary key);
      grant select on public.open to authenticated;
      create function public.loose() returns integer language sql security definer as 'select 1';`)
    const { code, output } = await runAdvisors()
    expect(code).not.toBe(0)
    expect(output).toContain('rls_disabled_in_public')
    expect(output).toContain('function_search_path_mutable')
  })
})
