import { expect, test } from 'vitest'
import { runScript } from './support/command'

test('database types, schema.sql and schema.md match the migrations', async () => {
  expect(await runScript('scripts/types.mjs', ['--check'])).toMatchObject({ code: 0 })
}, 180_000)
