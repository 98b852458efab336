import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runSupabase } from './support/command'
import { type Community, openCommunity } from './support/community'
import { withConnectionUrl } from './support/migrated-database'

let community: Community
beforeAll(async () => {
  community = await openCommunity()
  // As on a project whose API exposes this schema; without it half of the advisors keep silent.
  await community.pg.exec(`set pgrst.db_schemas = 'public'`)
})
afterAll(() => community.close())

const askAdvisors = () =>
  withConnectionUrl(community.pg, (url) =>
    runSupabase(['db', 'advisors', '--remote', url, '--level', 'warn', '--fail-on', 'warn']),
  )

describe("Supabase's advisors", () => {
  test('find nothing to warn of', async () => {
    expect(await askAdvisors()).toMatchObject({ code: 0, output: expect.stringContaining('No issues found') })
  })

  test('would find what is wrong', async () => {
    await community.pg.exec(`
      create table public.open (id uuid primary key);
      create function public.loose() returns integer language sql security definer as 'select 1';
      grant execute on function public.loose() to authenticated;`)
    const { code, output } = await askAdvisors()
    expect(code).not.toBe(0)
    for (const advice of [
      'rls_disabled_in_public',
      'function_search_path_mutable',
      'authenticated_security_definer_function_executable',
    ]) {
      expect(output).toContain(advice)
    }
  })
})
