import { expect, test } from 'vitest'
import { runScript } from './support/command'

test('database types, schema.sql, and the versions of the schema match the migrations', async () => {
  expect(await runScript('scripts/types.mjs', ['--check'])).toMatchObject({ code: 0 })
}, 180_000)
