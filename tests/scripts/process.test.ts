import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../../scripts/lib/process.mjs'

const node = (code: string, options: Parameters<typeof run>[2] = {}) =>
  run(process.execPath, ['-e', code], { quiet: true, ...options })

test('returns ok and the output if a program succeeds', async () => {
  expect(await node('console.log("out"); console.error("err")')).toMatchObject({
    ok: true,
    code: 0,
    output: expect.stringMatching(/out\n.*err\n|err\n.*out\n/s),
  })
})

test('does not throw if a program fails or does not exist', async () => {
  expect(await node('process.exit(3)')).toMatchObject({ ok: false, code: 3, timedOut: false })
  const missing = await run('vignette-no-such-program', [], { quiet: true })
  expect(missing).toMatchObject({ ok: false, code: null })
})

test('kills a program and its children after the timeout', async () => {
  const code = `
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    console.log('grandchild ' + child.pid)
    setInterval(() => {}, 1000)`
  // The output pipe closes only after the grandchild has also exited, so `run` would not return otherwise.
  const result = await node(code, { timeoutMs: 5_000 })
  expect(result).toMatchObject({ ok: false, timedOut: true })
  expect(result.output).toMatch(/^grandchild \d+/)
})

// On Windows, closing the console ends all processes.
if (process.platform !== 'win32') {
  test('a script exits when the npm that runs it is killed', async () => {
    const library = pathToFileURL('scripts/lib/process.mjs').href
    const code = `
    import { exitWithNpm } from '${library}'
    exitWithNpm()
    process.on('SIGTERM', () => process.exit(0))
    setInterval(() => {}, 1000)
    console.log('pid ' + process.pid)`
    // The trailing command stops the shell from replacing itself with the program, so that there is a shell between, as with npm.
    const shell = spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, code], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [started]: Buffer[] = await once(shell.stdout, 'data')
    expect(String(started)).toMatch(/^pid \d+/)
    shell.kill('SIGKILL')
    // The pipe closes only after the script has also exited.
    await once(shell.stdout.resume(), 'end')
  })
}
