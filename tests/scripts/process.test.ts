import { expect, test } from 'vitest'
import { run } from '../../scripts/lib/process.mjs'

const node = (code: string, options: Parameters<typeof run>[2] = {}) =>
  run(process.execPath, ['-e', code], { quiet: true, ...options })

test('a program that ends well is ok, with its words kept', async () => {
  expect(await node('console.log("out"); console.error("err")')).toMatchObject({
    ok: true,
    code: 0,
    output: expect.stringMatching(/out\n.*err\n|err\n.*out\n/s),
  })
})

test('a program that fails, or does not exist, is a result and no exception', async () => {
  expect(await node('process.exit(3)')).toMatchObject({ ok: false, code: 3, timedOut: false })
  const missing = await run('vignette-no-such-program', [], { quiet: true })
  expect(missing).toMatchObject({ ok: false, code: null })
})

test('a program over its time is ended with what it started', async () => {
  const code = `
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    console.log('grandchild ' + child.pid)
    setInterval(() => {}, 1000)`
  // The output's pipe closes only once nobody holds it any more, the grandchild included: that run ends proves it.
  const result = await node(code, { timeoutMs: 1_000 })
  expect(result).toMatchObject({ ok: false, timedOut: true })
  expect(result.output).toMatch(/^grandchild \d+/)
})
