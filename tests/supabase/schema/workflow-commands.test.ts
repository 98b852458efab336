import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runSupabase } from './support/command'

const WORKFLOW = join(import.meta.dirname, '../../../.github/workflows/supabase.yml')
const text = await readFile(WORKFLOW, 'utf8')

/** The flags of each Supabase CLI command in the workflow. */
const flagsOf = new Map<string, Set<string>>()
for (const [, command = '', rest = ''] of text.matchAll(
  /npx --no-install supabase ((?:[a-z]+ )*[a-z]+)([^|\n]*)/g,
)) {
  const flags = flagsOf.get(command) ?? new Set()
  flagsOf.set(command, flags)
  for (const [flag] of rest.matchAll(/--[a-z-]+/g)) flags.add(flag)
}

// Each test starts the CLI, which takes a second.
describe('the supabase workflow', { tags: 'long' }, () => {
  test.each([...flagsOf])('passes only flags that `supabase %s` has', async (command, flags) => {
    const { code, output } = await runSupabase([...command.split(' '), '--help'])
    expect(code).toBe(0)
    expect(output).toContain(`supabase ${command} [flags]`)
    for (const flag of flags) expect(output).toContain(`  ${flag}`)
  })

  test('runs the expected commands', () => {
    expect([...flagsOf.keys()].sort()).toEqual([
      'db advisors',
      'db lint',
      'db push',
      'start',
      'status',
      'stop',
    ])
  })
})
