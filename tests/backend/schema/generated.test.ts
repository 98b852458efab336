import { expect, test } from 'vitest'
import { runScript } from './support/command'

test.each(['scripts/types.mjs', 'scripts/erd.mjs'])(
  'what %s writes fits the migrations',
  async (script) => {
    expect(await runScript(script, ['--check'])).toMatchObject({ code: 0 })
  },
  180_000,
)
