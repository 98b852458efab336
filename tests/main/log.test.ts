import { describe, expect, test } from 'vitest'
import { logHandlers } from '#/main/bridge-handlers'
import { createLog } from '#/main/log'
import { redact } from '#/main/redact'
import { recordingLog } from './support/recording-log'

// Looks like a token, but is not signed.
const TOKEN = `${'eyJ'}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl`

describe('redact', () => {
  test.each([
    [`token ${TOKEN} expired`, 'token [token] expired'],
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [token]'],
    ['key sb_secret_abc123 used', 'key sb_secret_[key] used'],
    ['{"refresh_token":"v3ry s3cret","user":1}', '{"refresh_token":[hidden],"user":1}'],
    [`{ access_token: '${TOKEN}' }`, '{ access_token: [hidden] }'],
    ['grant?password=hunter2&x=1', 'grant?password=[hidden]&x=1'],
    ['{"password":"with \\"quotes\\" inside"}', '{"password":[hidden]}'],
    ['a token is a word, and so is password', 'a token is a word, and so is password'],
  ])('%s', (line, expected) => {
    expect(redact(line)).toBe(expected)
  })
})

describe('createLog', () => {
  test('redacts the line and its cause, of any type', () => {
    const log = recordingLog()
    log.error('sign-in', new Error(`rejected ${TOKEN}`))
    log.warn(`with ${TOKEN}`)
    log.info('state', { refresh_token: 'abcdef' })
    const text = log.lines.join('\n')
    expect(text).toContain('error sign-in: Error: rejected [token]')
    expect(text).not.toContain(TOKEN)
    expect(text).not.toContain('abcdef')
  })

  test('accepts causes that JSON cannot represent', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const log = recordingLog()
    log.warn('odd', cyclic)
    log.warn('odd', 10n)
    expect(log.lines[0]).toContain('Circular')
    expect(log.lines[1]).toBe('warn odd: 10n')
  })

  test('writes each level as itself', () => {
    const levels: string[] = []
    const log = createLog((level) => levels.push(level))
    log.info('a')
    log.warn('b')
    log.error('c')
    expect(levels).toEqual(['info', 'warn', 'error'])
  })
})

test('lines of the page have a prefix and cannot forge other lines', async () => {
  const log = recordingLog()
  await logHandlers(log)['log.write']('warn', 'first\n[2026-11-21] error forged\r\nlast')
  await logHandlers(log)['log.write']('info', 'red \u001b[31mand\u0007 \u009b2J\tgone')
  expect(log.lines).toEqual([
    'warn page: first\n  [2026-11-21] error forged\n  last',
    'info page: red  [31mand   2J gone',
  ])
})
