import { expect, test } from 'vitest'
import { contentSecurityPolicy } from '#/shared/csp'

/** The exact policy, so that relaxing it requires a change here. */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'manifest-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

function directives(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
}

test('a page loads and runs only its own resources', () => {
  expect(directives(contentSecurityPolicy())).toEqual(POLICY)
})

test('a page connects to its server only, and loads pictures and videos from it', () => {
  for (const [server, sources] of [
    ['https://abc.supabase.co', ['https://abc.supabase.co', 'wss://abc.supabase.co']],
    ['http://127.0.0.1:54321/', ['http://127.0.0.1:54321', 'ws://127.0.0.1:54321']],
  ] as const) {
    expect(directives(contentSecurityPolicy(server))).toEqual({
      ...POLICY,
      'img-src': ["'self'", sources[0], 'data:', 'blob:'],
      'media-src': ["'self'", sources[0], 'data:', 'blob:'],
      'connect-src': ["'self'", ...sources],
    })
  }
})
