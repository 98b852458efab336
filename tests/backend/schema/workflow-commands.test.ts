import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runSupabase } from './support/command'

const WORKFLOW = join(import.meta.dirname, '../../../.github/workflows/supabase.yml')
const text = await readFile(WORKFLOW, 'utf8')

/** The flags of each command of the Supabase command line that the workflow runs. */
const flagsOf = new Map<string, Set<string>>()
for (const [, command = '', rest = ''] of text.matchAll(
  /npx --no-install supabase ((?:[a-z]+ )*[a-z]+)([^|\n]*)/g,
)) {
  const flags = flagsOf.get(command) ?? new Set()
  flagsOf.set(command, flags)
  for (const [flag] of rest.matchAll(/--[a-z-]+/g)) flags.add(flag)
}

// Each asks the command line, which takes a second to start.
describe('the workflow on Supabase', { tags: 'long' }, () => {
  test.each([...flagsOf])('supabase %s has the flags that it passes', async (command, flags) => {
    const { code, output } = await runSupabase([...command.split(' '), '--help'])
    expect(code).toBe(0)
    expect(output).toContain(`supabase ${command} [flags]`)
    for (const flag of flags) expect(output).toContain(`  ${flag}`)
  })

  test('uses the commands of the local stack', () => {
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
