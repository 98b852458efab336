import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { devPolicy, setupDevServer } from '#/main/server/dev-server'
import { contentSecurityPolicy } from '#/shared/csp'

const DEV = 'http://localhost:5173'
const SERVER = 'http://127.0.0.1:4321'

test('relaxes the policy in development only for hot reload', () => {
  const directives = (policy: string) => new Set(policy.split('; '))
  const strict = directives(contentSecurityPolicy(SERVER))
  expect([...directives(devPolicy(DEV, SERVER))].filter((directive) => !strict.has(directive))).toEqual([
    "script-src 'self' 'unsafe-inline'",
    "connect-src 'self' ws://localhost:5173 http://127.0.0.1:4321 ws://127.0.0.1:4321",
  ])
})

test('replaces the policy of the development server, on its own pages only', () => {
  type Listener = (
    details: { url: string; responseHeaders?: Record<string, string[]> },
    callback: (answer: { responseHeaders: Record<string, string[]> }) => void,
  ) => void
  const listening: { urls: string[]; listener: Listener }[] = []
  const session = {
    webRequest: {
      onHeadersReceived: ({ urls }: { urls: string[] }, listener: Listener) =>
        listening.push({ urls, listener }),
    },
  }
  setupDevServer(session as unknown as Electron.Session, `${DEV}/`, () => SERVER)

  expect(listening.map(({ urls }) => urls)).toEqual([['http://localhost:5173/*']])
  let headers: Record<string, string[]> = {}
  listening[0]?.listener(
    { url: `${DEV}/create`, responseHeaders: { 'Content-Security-Policy': ['loose'], etag: ['x'] } },
    (answer) => {
      headers = answer.responseHeaders
    },
  )
  expect(headers).toEqual({ etag: ['x'], 'content-security-policy': [devPolicy(DEV, SERVER)] })

  // CREATE-11: as in the built app.
  const script = 'lib/media/decode/decoder.worker.ts'
  expect(existsSync(join(import.meta.dirname, '../../../src/renderer', script))).toBe(true)
  const url = `${DEV}/${script}?worker_file&type=module`
  listening[0]?.listener({ url, responseHeaders: {} }, (answer) => {
    headers = answer.responseHeaders
  })
  expect(headers).toEqual({
    'content-security-policy': ["default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"],
  })
})
