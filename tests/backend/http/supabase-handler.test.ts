import { UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createQueue, SkippedError } from '#/backend/base/queue'
import { DatabaseEndedError } from '#/backend/database/database-ended-error'
import { HashNeededError } from '#/backend/database/password-hashes'
import { createSupabaseHandler } from '#/backend/http/supabase-handler'
import type { ObjectsHandler } from '#/backend/objects/objects-handler'
import { REST_LIMITS } from '#/backend/rest/rest-schema'
import { STORED_VIDEO_BYTES } from '#/shared/limits'
import { callerOf } from '#tests/backend/support/caller'
import { gate } from '#tests/gate'

const ORIGIN = 'http://127.0.0.1:4173'
const TOKEN = '/auth/v1/token?grant_type=password'
const CODE = { type: 'recovery', email: 'ada@example.com', token: '123456' }

const post = (path: string, body: unknown) =>
  new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** A handler in front of a fake lite, and the requests that the fake has received. */
function handlerBefore(
  answer: (request: Request) => Response | Promise<Response>,
  now?: () => number,
  query: () => Promise<[]> = async () => [],
  handleObjects: ObjectsHandler | null = null,
) {
  const asked: string[] = []
  const lines: string[] = []
  const handler = createSupabaseHandler({
    fetch: async (request, hashes) => {
      const body = await request.clone().text()
      if (hashes?.length === 0 && body.includes('"password"'))
        throw new HashNeededError({ kind: 'hash', password: 'a guess', cost: 4 })
      asked.push(`${request.method} ${request.url.replace(ORIGIN, '')} ${body}`.trim())
      return answer(request)
    },
    errors: { take: () => null },
    query,
    computeHash: async () => 'a hash',
    sendMail: async () => undefined,
    exclusive: createQueue(),
    onWrite: () => undefined,
    handleObjects,
    log: (level, text) => lines.push(`${level} ${text}`),
    ...(now && { now }),
  })
  const handle = (
    request: Request,
    member: string | null = null,
    isGone = () => false,
    disconnect = () => undefined as undefined,
  ) => handler(request, callerOf({ member, isGone, disconnect }))
  return { handle, asked, lines }
}

const wrong = () => Response.json({ code: 'invalid_credentials' }, { status: 400 })
const statusesOf = async (answers: Promise<Response>[]) =>
  (await Promise.all(answers)).map((answer) => answer.status)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

describe('the limit of attempts', () => {
  test('checks ten of sixty concurrent passwords, however the e-mail is spelled', async () => {
    const { handle, asked } = handlerBefore(wrong)
    const guess = (index: number) => ({
      email: index % 2 === 0 ? 'ada@example.com' : ' ADA@Example.com ',
      password: 'a guess',
    })
    const statuses = await statusesOf(times(60, (index) => handle(post(TOKEN, guess(index)))))
    expect(count(statuses, 429)).toBe(50)
    expect(asked).toHaveLength(10)
  })

  test('cannot be bypassed with another spelling of the path, the e-mail or the code', async () => {
    const { handle, asked } = handlerBefore(wrong)
    for (const path of [
      '/auth/v1/%74oken?grant_type=password',
      '/auth/v1/%76erify',
      '/auth/v1//verify',
      '/auth/v1/verify/',
      '/%61uth/v1/verify',
      '/auth/v1/x%2f..%2fverify',
      '/auth/v1/token?grant_type=refresh_token&grant_type=password',
    ]) {
      const answer = await handle(post(path, CODE))
      expect([path, answer.status]).toEqual([path, path.includes('refresh') ? 400 : 404])
    }
    expect(asked).toEqual(['POST /auth/v1/token?grant_type=refresh_token {}'])
    asked.length = 0

    for (const body of [
      { ...CODE, email: ['ada@example.com'] },
      { ...CODE, email: { toString: 'ada' } },
      { ...CODE, email: undefined, token_hash: 'ab'.repeat(32) },
      { ...CODE, email: 'ada@example.com\u0000' },
      { ...CODE, token: 123_456 },
      { ...CODE, type: 'magiclink' },
      [CODE],
      'null',
      '{',
      `"${'x'.repeat(100)}"`,
    ]) {
      expect((await handle(post('/auth/v1/verify', body))).status).toBe(400)
    }
    const cutElsewhere = { ...CODE, email: 'ada@example.co', token: 'm123456' }
    expect((await handle(post('/auth/v1/verify', cutElsewhere))).status).toBe(403)
    expect(asked).toEqual([])
    await handle(post('/auth/v1/verify', { ...CODE, token_hash: 'ab'.repeat(32) }))
    expect(asked).toEqual([`POST /auth/v1/verify? ${JSON.stringify(CODE)}`])
  })

  const signIn = { email: 'ada@example.com', password: 'right' }

  test.each([429, 500, 503])('does not count a response of %i as a failed sign-in', async (status) => {
    let next = status
    const { handle, asked } = handlerBefore(() => Response.json({}, { status: next }))
    const tryTimes = async (tries: number) => {
      for (let index = 0; index < tries; index += 1) await handle(post(TOKEN, signIn))
    }
    await tryTimes(12)
    expect(asked).toHaveLength(12)
    next = 400
    await tryTimes(12)
    expect(asked).toHaveLength(12 + 10)
  })

  test('does not count a sign-in that throws as a failed one', async () => {
    const { handle, asked } = handlerBefore(() => Promise.reject(new Error('broken')))
    for (let tries = 0; tries < 12; tries += 1) await handle(post(TOKEN, signIn)).catch(() => undefined)
    expect(asked).toHaveLength(12)
  })
})

describe('rejected requests', () => {
  test.each([
    ['GET', '/auth/v1/verify?type=recovery&token=abc'],
    ['POST', '/auth/v1/otp'],
    ['POST', '/auth/v1/magiclink'],
    ['GET', '/auth/v1/authorize?provider=github'],
    ['GET', '/auth/v1/callback'],
    ['GET', '/auth/v1/admin/users'],
    ['POST', '/auth/v1/token?grant_type=pkce'],
    ['POST', '/auth/v1/token'],
    ['POST', '/auth/v1/constructor'],
    ['OPTIONS', '/auth/v1/settings'],
    ['DELETE', '/auth/v1/user'],
    ['GET', '/rest/v1/%70rofiles'],
    ['GET', '/rest/v1/profiles/extra'],
    ['GET', '/rest/v1//profiles'],
    ['GET', '/rest/v1/rpc/a%2Fb'],
  ])('%s %s', async (method, path) => {
    const { handle, asked } = handlerBefore(() => Response.json({}))
    expect((await handle(new Request(`${ORIGIN}${path}`, { method }))).status).toBe(404)
    expect(asked).toEqual([])
  })

  test('an auth request body that is too large, and fields that cannot be changed, are not passed on', async () => {
    const { handle, asked } = handlerBefore(() => Response.json({}))
    const large = { email: 'ada@example.com', password: 'x'.repeat(20_000) }
    expect((await handle(post('/auth/v1/signup', large))).status).toBe(413)
    const change = JSON.stringify({ phone: '123' })
    await handle(new Request(`${ORIGIN}/auth/v1/user`, { method: 'PUT', body: change }))
    expect(asked).toEqual(['PUT /auth/v1/user? {}'])
  })
})

test('rejects NUL and lone surrogates in auth texts, which PostgreSQL cannot store', async () => {
  const { handle, asked } = handlerBefore(() => Response.json({}))
  const lone = '\ud83d'
  const calls: [string, string, object][] = [
    ['PUT', '/auth/v1/user', { email: `${lone}@example.com` }],
    ['PUT', '/auth/v1/user', { password: `a good ${lone}` }],
    ...[{ full_name: lone }, { [lone]: [{ deep: 'text' }] }, { full_name: '\u0000' }, { a: [lone] }].map(
      (data): [string, string, object] => [
        'POST',
        '/auth/v1/signup',
        { email: 'ada@example.com', password: 'a good one', data },
      ],
    ),
    ['POST', TOKEN, { email: `ada${lone}@example.com`, password: 'a guess' }],
    ['POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: lone }],
    ['POST', '/auth/v1/verify', { ...CODE, token: lone }],
    ['POST', '/auth/v1/recover', { email: lone }],
  ]
  for (const [method, path, body] of calls) {
    const request = new Request(`${ORIGIN}${path}`, { method, body: JSON.stringify(body) })
    expect([path, (await handle(request)).status]).toEqual([path, 400])
  }
  expect(asked).toEqual([])
  const pair = {
    email: 'ada@example.com',
    password: 'a good one',
    data: { full_name: '\ud83d\ude00', path: '\\ud83d' },
  }
  await handle(post('/auth/v1/signup', pair))
  expect(asked).toEqual([`POST /auth/v1/signup? ${JSON.stringify(pair)}`])
})

test.each([
  ['timeout', 504],
  ['failed', 503],
] as const)('an auth call whose own query ends with the database (%s) gets %i', async (end, status) => {
  const { handle } = handlerBefore(
    () => Response.json({}),
    undefined,
    () => Promise.reject(new DatabaseEndedError(end)),
  )
  const answer = await handle(post('/auth/v1/verify', CODE))
  expect([answer.status, (await answer.json()).msg]).toEqual([status, new DatabaseEndedError(end).message])
})

test('a request whose client has disconnected is skipped when its turn comes', async () => {
  const { opened: held, open: release } = gate()
  const { handle, asked } = handlerBefore(async () => {
    await held
    return Response.json([])
  })
  const connection = { isGone: false }
  const read = (id: string, isGone = () => false) =>
    handle(new Request(`${ORIGIN}/rest/v1/posts?id=eq.${id}`), null, isGone)
  const first = read('first')
  const gone = read('gone', () => connection.isGone)
  const signIn = handle(post(TOKEN, CODE), null, () => connection.isGone)
  for (const skipped of [gone, signIn]) skipped.catch(() => undefined)
  const last = read('last')
  connection.isGone = true
  release()
  expect(await statusesOf([first, last])).toEqual([200, 200])
  for (const skipped of [gone, signIn]) await expect(skipped).rejects.toThrow(SkippedError)
  expect(asked).toEqual(['GET /rest/v1/posts?id=eq.first', 'GET /rest/v1/posts?id=eq.last'])
})

test('auth calls and reads share a queue: a member waits for one call of another', async () => {
  const order: string[] = []
  const { handle } = handlerBefore(async (request) => {
    order.push(new URL(request.url).pathname.split('/')[1] ?? '')
    return Response.json([])
  })
  const user = () => handle(new Request(`${ORIGIN}/auth/v1/user`), 'greedy')
  const read = () => handle(new Request(`${ORIGIN}/rest/v1/posts`), 'modest')
  await Promise.all([...times(100, user), ...times(2, read)])
  expect(order.lastIndexOf('rest')).toBeLessThanOrEqual(4)
})

test('a large body is refused before it is received: of strangers, and of a member after 2.25 GB a minute', async () => {
  let now = 0
  const { handle } = handlerBefore(
    () => Response.json([]),
    () => now,
  )
  const send = async (member: string | null, bytes: number = REST_LIMITS.inlineBody) => {
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes) }
    const request = new Request(`${ORIGIN}/rest/v1/posts`, { method: 'POST', headers, body: '{}' })
    const answer = await handle(request, member)
    const isClosed = answer.headers.get('connection') === 'close'
    return { status: answer.status, isReceived: request.bodyUsed, isClosed }
  }
  expect(await send(null)).toEqual({ status: 401, isReceived: false, isClosed: true })
  for (let bytes = 0; bytes < 2_250_000_000; bytes += REST_LIMITS.inlineBody)
    expect(await send('ada')).toEqual({ status: 200, isReceived: true, isClosed: false })
  expect(await send('ada')).toEqual({ status: 429, isReceived: false, isClosed: true })
  expect(await send('ada', 44_000_000)).toMatchObject({ status: 429, isClosed: true })
  expect(await send('ben', 44_000_000)).toMatchObject({ status: 413, isClosed: false })
  expect((await send('ada', 60_000)).status).toBe(200)
  now = 60_000
  expect((await send('ada')).status).toBe(200)
})

test('a large upload of a stranger is refused before it is received', async () => {
  const { handle } = handlerBefore(wrong, undefined, undefined, () => Promise.reject(new Error('received')))
  const headers = { 'content-length': '44000000' }
  const request = new Request(`${ORIGIN}/storage/v1/object/media/any`, { method: 'POST', headers, body: 'x' })
  const answer = await handle(request)
  expect(answer.status).toBe(401)
  // By this the app knows that its session has ended.
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('token') })
  expect(request.bodyUsed).toBe(false)
})

test.each([
  ['sign-in', TOKEN, { email: 'ada@example.com', password: 'right' }, 10],
  ['renewal', '/auth/v1/token?grant_type=refresh_token', { refresh_token: 'abc' }, 10],
  // It has more turns than one.
  ['sign-up', '/auth/v1/signup', { email: 'ada@example.com', password: 'right' }, 40],
])('a %s does not wait for other requests of strangers', async (_, path, body, most) => {
  const order: string[] = []
  const { handle } = handlerBefore(async (request) => {
    order.push(new URL(request.url).pathname.split('/')[1] ?? '')
    return Response.json([])
  })
  const reads = times(100, () => handle(new Request(`${ORIGIN}/rest/v1/posts`)))
  await Promise.all([...reads, handle(post(path, body))])
  expect(order.indexOf('auth')).toBeLessThan(most)
})

test('a member whose requests ended the database twice within a minute gets 429 until it is over, and others are served', async () => {
  let now = 0
  const { handle, asked } = handlerBefore(
    (request) => Response.json([], { status: request.url.includes('slow') ? 504 : 200 }),
    () => now,
  )
  const read = (location: string, member: string | null) =>
    handle(new Request(`${ORIGIN}/rest/v1/posts?location=eq.${location}`), member)
  const attacks = times(5, () => read('slow', 'hostile'))
  expect(await statusesOf(attacks)).toEqual([504, 504, 429, 429, 429])
  expect(asked).toHaveLength(2)
  now = 15_000
  const refused = await read('quick', 'hostile')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '45'])
  expect(await refused.json()).toMatchObject({ code: 'PT429' })
  expect(await statusesOf([read('quick', 'other'), read('quick', null)])).toEqual([200, 200])
  now = 60_000
  expect((await read('quick', 'hostile')).status).toBe(200)
})

test('strangers whose requests ended the database twice within a minute are refused too', async () => {
  const { handle } = handlerBefore((request) =>
    Response.json([], { status: request.url.includes('slow') ? 504 : 200 }),
  )
  const read = (location: string, member: string | null) =>
    handle(new Request(`${ORIGIN}/rest/v1/posts?location=eq.${location}`), member)
  const attacks = times(3, () => read('slow', null))
  expect(await statusesOf(attacks)).toEqual([504, 504, 429])
  expect(await statusesOf([read('quick', null), read('quick', 'member')])).toEqual([429, 200])
})

test('a response with one object has a content-length', async () => {
  const { handle } = handlerBefore(() => Response.json([{ content: 'größer' }]))
  const headers = { accept: 'application/vnd.pgrst.object+json', 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body: '{"content":"größer"}' }
  const answer = await handle(new Request(`${ORIGIN}/rest/v1/posts?id=eq.1`, init))
  expect(await answer.clone().json()).toEqual({ content: 'größer' })
  expect(answer.headers.get('content-length')).toBe(String((await answer.arrayBuffer()).byteLength))
})

test('passes on the body of a data request unchanged', async () => {
  const { handle, asked } = handlerBefore(() => Response.json([]))
  await handle(post('/rest/v1/posts?select=id', '{ "content": "a@example.com" }'))
  expect(asked).toEqual(['POST /rest/v1/posts?select=id { "content": "a@example.com" }'])
})

test('a data request waits for one password check at most, regardless of how many are queued', async () => {
  const order: string[] = []
  const { handle } = handlerBefore(async (request) => {
    await new Promise((resolve) => setImmediate(resolve))
    order.push(request.url.includes('/auth/') ? 'sign-in' : 'data')
    return Response.json([])
  })
  const tries = times(30, (index) =>
    handle(post(TOKEN, { email: `${index}@example.com`, password: 'a guess' })),
  )
  const read = times(3, () => handle(new Request(`${ORIGIN}/rest/v1/posts`), 'reader'))
  await Promise.all([...tries, ...read])
  expect(order.indexOf('data')).toBeLessThanOrEqual(1)
  expect(order.lastIndexOf('data')).toBeLessThanOrEqual(4)
  expect(order).toHaveLength(33)
})

test('alternates between members', async () => {
  const order: string[] = []
  const { handle } = handlerBefore(async (request) => {
    order.push(new URL(request.url).searchParams.get('location') ?? '')
    return Response.json([])
  })
  const ask = (member: string) => handle(new Request(`${ORIGIN}/rest/v1/posts?location=eq.${member}`), member)
  await Promise.all([...times(70, () => ask('greedy')), ...times(2, () => ask('modest'))])
  expect(order.lastIndexOf('eq.modest')).toBeLessThanOrEqual(4)
  expect(order).toHaveLength(72)
})

test('rejects an unsupported request before it reaches lite, or with the reason of the gate behind it, and logs it without its values', async () => {
  const behind = Response.json(
    { code: 'PGRST100' },
    { status: 400, headers: { 'not-served': 'No operator' } },
  )
  const { handle, asked, lines } = handlerBefore(() => behind)
  const get = (query: string) => handle(new Request(`${ORIGIN}/rest/v1/posts?${query}`))
  const refused = await get('content=secret')
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { code: 'PGRST100', message: "A value of 'content' is not served", details: null, hint: null },
  ])
  expect(asked).toEqual([])
  const refusedBehind = await get('content=like.secret')
  expect([refusedBehind.status, refusedBehind.headers.has('not-served')]).toEqual([400, false])
  expect(lines).toEqual([
    "warn not served: GET /rest/v1/posts: A value of 'content' is not served",
    'warn not served: GET /rest/v1/posts: No operator',
  ])
  for (const _ of times(100, () => 0)) await get('content=secret')
  expect(lines).toHaveLength(60)
})

test('a new password ends the other sessions in the same step, a rejected one does not, and a token without a session cannot set one', async () => {
  const tokenWith = (claims: Record<string, string>) => new UnsecuredJWT(claims).encode()
  const token = tokenWith({ session_id: '2b1e4a3c-0c5d-4a5e-9a57-0d6f7c1f2a10' })
  const put = (body: object, bearer = token) =>
    new Request(`${ORIGIN}/auth/v1/user`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${bearer}` },
      body: JSON.stringify(body),
    })
  const { handle, asked } = handlerBefore((request) =>
    request.method === 'PUT' ? Response.json({}) : new Response(null, { status: 204 }),
  )
  expect((await handle(put({ password: 'a new horse' }))).status).toBe(200)
  expect(asked).toEqual([
    'PUT /auth/v1/user? {"password":"a new horse"}',
    'POST /auth/v1/logout?scope=others',
  ])
  await handle(put({}))
  const refusing = handlerBefore(() => Response.json({}, { status: 422 }))
  await refusing.handle(put({ password: 'short' }))
  expect([asked.length, refusing.asked.length]).toEqual([3, 1])
  expect((await handle(put({ password: 'a new horse' }, tokenWith({})))).status).toBe(400)
  expect(asked).toHaveLength(3)
})

test('bodies have 30 MB: when they are full, the caller with most of them loses the oldest, and texts always get in', async () => {
  const { handle } = handlerBefore(() => Response.json([], { status: 201 }))
  const size = String(REST_LIMITS.inlineBody)
  const lost: string[] = []
  const slow = (name: string, member: string | null) => {
    let end: () => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        end = () => {
          controller.enqueue(new TextEncoder().encode('{}'))
          controller.close()
        }
      },
    })
    const headers = { 'content-type': 'application/json', 'content-length': size }
    const init = { method: 'POST', body, headers, duplex: 'half' }
    const request = new Request(`${ORIGIN}/rest/v1/stories`, init)
    return { answer: handle(request, member, undefined, () => void lost.push(name)), end: () => end() }
  }
  const senders = [slow('modest', 'modest'), ...times(10, (index) => slow(`greedy ${index}`, 'greedy'))]
  expect(lost).toEqual(['greedy 0'])
  senders.push(slow('third', 'third'))
  expect(lost).toEqual(['greedy 0', 'greedy 1'])
  expect((await handle(post('/rest/v1/posts', '{}'), 'other')).status).toBe(201)
  expect(lost).toHaveLength(2)
  for (const sender of senders) sender.end()
  expect(await statusesOf(senders.map((sender) => sender.answer))).toEqual(Array(12).fill(201))
  const again = times(10, (index) => slow(`again ${index}`, 'greedy'))
  expect(lost).toHaveLength(2)
  for (const sender of again) sender.end()
  await Promise.all(again.map((sender) => sender.answer))
})

test('uploads that are being received have 2 GB besides one of each caller: when they are full, the caller with most of them loses the oldest', async () => {
  const ends: (() => void)[] = []
  const { handle } = handlerBefore(wrong, undefined, undefined, () => {
    return new Promise((resolve) => ends.push(() => resolve(Response.json({}))))
  })
  const lost: string[] = []
  const upload = (member: string, bytes = STORED_VIDEO_BYTES) => {
    const headers = { 'content-length': String(bytes) }
    const request = new Request(`${ORIGIN}/storage/v1/object/media/any`, { method: 'POST', headers })
    return handle(request, member, undefined, () => void lost.push(member))
  }
  const answers = [upload('modest'), ...times(11, () => upload('greedy'))]
  expect(lost).toEqual([])
  // One that claims to be larger than any is refused, so it does not count.
  answers.push(upload('liar', 100 * STORED_VIDEO_BYTES), upload('other', 1_000))
  expect(lost).toEqual([])
  answers.push(upload('other'), upload('other'), upload('greedy'))
  expect(lost).toEqual(['greedy', 'greedy'])
  for (const end of ends) end()
  expect(await statusesOf(answers)).toEqual(Array(17).fill(200))
  answers.push(...times(11, () => upload('greedy')))
  expect(lost).toHaveLength(2)
})

test('accounts with half a video each do not take the whole one of a member away', async () => {
  const { handle } = handlerBefore(wrong, undefined, undefined, () => new Promise(() => {}))
  const lost: string[] = []
  const upload = (member: string, bytes: number) => {
    const headers = { 'content-length': String(bytes) }
    const request = new Request(`${ORIGIN}/storage/v1/object/media/any`, { method: 'POST', headers })
    void handle(request, member, undefined, () => void lost.push(member))
  }
  upload('member', STORED_VIDEO_BYTES)
  for (let number = 0; number < 100; number += 1) upload(`account ${number}`, STORED_VIDEO_BYTES / 2)
  expect(lost).toEqual([])
})
