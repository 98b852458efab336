import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
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
  const result = await node(code, { timeoutMs: 5_000 })
  expect(result).toMatchObject({ ok: false, timedOut: true })
  expect(result.output).toMatch(/^grandchild \d+/)
})

// Windows has no orphans to notice: closing the console ends all of it.
if (process.platform !== 'win32') {
  test('a script ends when the npm that ran it is killed', async () => {
    const library = pathToFileURL('scripts/lib/process.mjs').href
    const code = `
    import { endWithNpm } from '${library}'
    endWithNpm()
    process.on('SIGTERM', () => process.exit(0))
    setInterval(() => {}, 1000)
    console.log('pid ' + process.pid)`
    // A shell with something left to do does not give its place to the program, so there is one between, as with npm.
    const shell = spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, code], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [started]: Buffer[] = await once(shell.stdout, 'data')
    expect(String(started)).toMatch(/^pid \d+/)
    shell.kill('SIGKILL')
    // The pipe ends once nobody holds it any more: the script has ended too.
    await once(shell.stdout.resume(), 'end')
  })
}
