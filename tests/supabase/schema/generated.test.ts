import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runScript } from './support/command'

const ROOT = join(import.meta.dirname, '../../..')

test('database types, schema.sql, and the versions of the schema match the migrations, and these supabase/schemas', async () => {
  const { code, output } = await runScript('scripts/types.mjs', ['--check'])
  expect(code, output).toBe(0)
}, 180_000)

test('a change only in supabase/schemas fails and names the object', {
  tags: 'long',
  timeout: 180_000,
}, async () => {
  const copy = await mkdtemp(join(tmpdir(), 'vignette-types-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  for (const path of ['.gitignore', 'biome.json', 'package.json', 'scripts', 'src', 'supabase', 'tests'])
    await cp(join(ROOT, path), join(copy, path), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const file = join(copy, 'supabase/schemas/26_setup.sql')
  await writeFile(file, (await readFile(file, 'utf8')).replace(/select '\d{14}'/, "select '1'"))
  const { code, output } = await runScript(join(copy, 'scripts/types.mjs'), ['--check'])
  expect(code, output).toBe(1)
  expect(output).toMatch(
    /function private\.serves\(\) differs\n {2}supabase\/migrations: .*\n {2}supabase\/schemas: .*'1'/,
  )
  expect(output).not.toMatch(/ only in | out of date /)
})

test('there is nothing to draft', { tags: 'long', timeout: 180_000 }, async () => {
  const { code, output } = await runScript('scripts/types.mjs', ['--draft', 'of_a_test'])
  expect(code, output).toBe(0)
  expect(output).toContain('0 statements for supabase/migrations/')
})
